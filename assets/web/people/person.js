// A member: the profile, shared communities and events, and the actions.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, spoken } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { row, sectionHead } from "../parts/row.js";
import { linkTo, textNodes } from "../parts/text.js";
import { keepFocus } from "../frame/focus.js";
import { presenceLine } from "../frame/person.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { openRoute } from "../generic/item.js";
import { dateBox, hueOfEvent, shortWhen } from "../social/rows.js";
import { withQuery } from "../world/dispatch.js";
import { invitations, nextEvents, threadWith } from "./model.js";

// Person shows a member. Options: id; known, the member of the list, or undefined; circleOf(),
// which returns the member as the list knows them now; gone(), called after a block.
export class Person {
	#panel = null;

	constructor(app, { id, known, circleOf = () => known, gone = () => {} }) {
		Object.assign(this, { app, id, circleOf, gone, scope: app.scope() });
		const { words, store } = app;
		this.element = el("section", { class: "ppl-one" });
		this.title = known?.name ?? "";
		const url = withQuery(store.service("social").content_source, { view: "people", id });
		this.#show(known);
		if (!known) this.element.append(skeleton({ words, rows: 4 }));
		this.scope.panel(url, ["social"], (panel) => { this.#panel = panel; this.#show(); app.frame.refresh(); }, (error, wasShown, again) => wasShown || this.#fail(error, again));
		this.scope.on(["objects", "actions"], () => this.#panel && this.#show());
	}

	#fail(error, again) {
		this.element.replaceChildren(...this.#head(this.circleOf()), problem(error, this.app.words, again));
	}

	#show(known = this.circleOf()) {
		const about = this.#section("about");
		const [profile, ...links] = about;
		this.title = profile?.title ?? known?.name ?? "";
		keepFocus(this.element, () => this.element.replaceChildren(...[
			...this.#head(known, profile),
			profile && this.#actions(profile),
			profile?.body && el("p", { class: "read", dir: "auto" }, textNodes(profile.body, { entities: profile.entities })),
			profile && this.#facts(profile, links, known),
			profile && this.#shared(),
			profile && this.#next(),
		].filter(Boolean)));
	}

	#section(id) {
		return this.#panel?.sections?.find((section) => section.id === id)?.items ?? [];
	}

	get #object() {
		return this.app.store.dataset?.objects?.find(({ object_type: type, state }) => type === "profile" && Number(state?.member_id) === Number(this.id));
	}

	#head(known, profile) {
		const { words } = this.app;
		const actor = profile?.actor ?? known?.actor;
		const name = profile?.title ?? known?.name ?? words.loading();
		const pronouns = profile?.metadata?.pronouns;
		const depth = profile?.metadata?.circle?.depth ?? known?.depth ?? 0;
		const line = [depth > 0 ? words.people.inCircle(depth) : profile && words.people.noCircle(), presenceLine(actor, words)].filter(Boolean).join(" · ");
		return [el("div", { class: "prof-head" }, avatar({ name, id: this.id, color: actor?.color, image: actor?.avatar?.url, size: "l", presence: actor?.presence?.state }),
			el("div", { class: "grow" }, el("h2", { tabindex: "-1" }, el("bdi", { text: name }), pronouns && [" ", el("span", { class: "quiet", dir: "auto", text: pronouns })]), el("p", { class: "quiet", dir: "auto", text: line })))];
	}

	#actions(profile) {
		const { app } = this;
		const { words, store } = app;
		const name = this.title;
		const username = profile.actor?.username;
		const to = invitations(store, this.#section("shared_communities").map(({ id }) => id));
		const block = profile.actions?.find(({ type }) => type === "social.block") ?? (this.#object && store.actionOn(this.#object.world_object_id, "social.block"));
		const invite = username && to.length > 0 && menuButton(button({ label: words.people.inviteTo(), icon: "invite" }), () => to.map(({ title, action }) => ({ label: title, run: () => this.#invite(action, username, title) })), { label: words.people.inviteTo() });
		const more = block && menuButton(button({ label: words.frame.moreFor(name), icon: "more", only: true }), () => [{ label: block.label, icon: "block", bad: true, run: () => this.#block(block, name) }], { label: words.frame.moreFor(name), end: true });
		const nodes = [this.#message(username), invite, more].filter(Boolean);
		return nodes.length > 0 ? el("div", { class: "line wrap" }, nodes) : null;
	}

	// #message leads to the thread with the member, or asks for the first message.
	#message(username) {
		const { app } = this;
		const { words, store } = app;
		const thread = threadWith(store, this.id);
		const label = words.people.message();
		if (thread) return el("a", { class: "btn primary", href: app.href({ kind: "at", id: thread.world_object_id }) }, icon("message"), label);
		const start = this.#panel.action_descriptors?.find(({ id }) => id === "start_dm");
		const general = username && store.dataset?.actions?.find(({ type }) => type === "start_thread");
		if (!start && !general) return null;
		return button({ label, icon: "message", kind: "primary", run: () => (start ? this.#start(start) : this.#start(general, general.controls.map((control) => (control.type === "member" ? { ...control, type: "hidden", default: username } : control)))) });
	}

	async #start(action, controls) {
		const { app } = this;
		const { words, store } = app;
		const data = await app.acts.form(action, { title: words.people.messageTo(this.title), submit: words.people.send(), ...(controls && { controls }) });
		const query = data?.dm ? { view: "dms", id: data.dm.id } : data?.thread ? { thread: data.thread.id } : null;
		const service = query && store.service(data.dm ? "social" : "messages")?.content_source;
		if (service) app.go({ ...routeOfPanel(store.session, service), query });
	}

	#invite(action, username, title) {
		const control = action.controls?.find(({ type }) => type === "members" || type === "member");
		const value = control?.multiple || control?.type === "members" ? [username] : username;
		return this.app.acts.act(action, { values: { [control.id]: value }, done: this.app.words.people.invited(this.title, title) });
	}

	async #block(action, name) {
		if ((await this.app.acts.act(action, { done: this.app.words.people.blockedDone(name) })) !== null) this.gone();
	}

	#facts(profile, links, known) {
		const { words } = this.app;
		const fact = (name, label, content) => el("div", {}, el("dt", {}, icon(name), spoken(label)), el("dd", {}, content));
		const depth = profile.metadata?.circle?.depth ?? known?.depth ?? 0;
		const via = (known?.via ?? []).map(({ title }) => title).filter(Boolean);
		const why = words.people.because(depth, via.length > 0 ? words.list(via) : "");
		const address = (url) => (/^https?:\/\//i.test(url) ? el("a", { class: "link", dir: "auto", ...linkTo(url) }) : el("span", { dir: "auto" }));
		return el("dl", { class: "facts" },
			profile.actor?.username && fact("person", words.people.username(), el("bdi", { text: `@${profile.actor.username}` })),
			links.map((link) => {
				const node = address(link.summary);
				node.textContent = link.title || link.summary;
				return fact("link", words.people.link(), node);
			}),
			why && fact("circles", words.people.circles(), el("span", { dir: "auto", text: why })),
			profile.metadata?.visibility && fact("eye", words.people.visibility(), words.people.visibleTo(profile.metadata.visibility)));
	}

	#shared() {
		const { app } = this;
		const { words } = app;
		const items = this.#section("shared_communities");
		if (items.length === 0) return null;
		return el("section", {}, sectionHead(words.people.shared()), el("ul", { class: "rows" }, items.map((item) => {
			const route = openRoute(app, item);
			const { color, avatar: image, visibility, member_count: count } = item.metadata ?? {};
			return el("li", {}, row({ words, title: item.title, sub: words.social.communityFacts(visibility, count), href: route ? app.href(route) : undefined, picture: avatar({ name: item.title, id: item.id, color, image: image?.url, square: true }) }));
		})));
	}

	#next() {
		const { app } = this;
		const { words, store } = app;
		const events = nextEvents(store, this.id, this.#section("shared_communities").map(({ id }) => id), { now: Date.now() });
		if (events.length === 0) return null;
		return el("section", {}, sectionHead(words.people.nextTogether()), el("ul", { class: "rows" }, events.map((event) => {
			const { state, world_object_id: id, title } = event.object;
			const isHost = Number(state.host?.id) === Number(this.id);
			const sub = [shortWhen(app, event), state.location?.label, isHost && words.people.hosts(this.title)].filter(Boolean).join(" · ");
			const hue = hueOfEvent(app, { community: state.community_id && { id: state.community_id }, host: { ...state.host, member_id: state.host?.id } });
			return el("li", {}, row({ words, title, sub, href: app.href({ kind: "at", id }), picture: dateBox(app, event.start, { hue, small: true }) }));
		})));
	}

	end() {
		this.scope.end();
	}
}
