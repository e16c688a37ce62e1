// The column of a member: the profile, the actions, and the shared communities and events.

import { avatar } from "../parts/avatar.js";
import { button, el, icon, screenReaderText } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { menuButton } from "../parts/menu.js";
import { row, sectionHead } from "../parts/row.js";
import { externalLink, textNodes } from "../parts/text.js";
import { keepFocus } from "../frame/focus.js";
import { presenceLine } from "../frame/person.js";
import { routeOfPanel } from "../frame/routes.js";
import { problem } from "../frame/problem.js";
import { openRoute } from "../generic/item.js";
import { colorOfEvent, dateBox } from "../social/colors.js";
import { startText } from "../social/rows.js";
import { withQuery } from "../world/dispatch.js";
import { invitationTargets, nextEvents, threadWith } from "./model.js";

// Person shows the profile of another member in `element`.
export class Person {
	#panel = null; // panel of the profile

	// id is the id of the member. known is the member as peopleOf returns it, or undefined; knownPerson
	// returns its present value. onBlocked is called after the member was blocked.
	constructor(app, { id, known, knownPerson = () => known, onBlocked = () => {} }) {
		Object.assign(this, { app, id, knownPerson, onBlocked, scope: app.scope() });
		const { words, store } = app;
		this.element = el("section", { class: "ppl-one" });
		this.title = known?.name ?? "";
		const url = withQuery(store.service("social").content_source, { view: "people", id });
		this.#show(known);
		if (!known) this.element.append(skeleton({ words, rows: 4 }));
		const show = (panel) => { this.#panel = panel; this.#show(); app.frame.refresh(); };
		this.scope.panel(url, ["social"], show, (error, wasShown, retry) => wasShown || this.#fail(error, retry));
		this.scope.on(["objects", "actions"], () => this.#panel && this.#show());
	}

	// #fail shows the error of a panel that could not be read, below the data from the list.
	#fail(error, retry) {
		const nodes = [...this.#head(this.knownPerson()), problem(error, this.app.words, retry)];
		keepFocus(this.element, () => this.element.replaceChildren(...nodes));
	}

	// #show renders the member: the head from the list's data until the panel has arrived, then all parts.
	#show(person = this.knownPerson()) {
		const about = this.#section("about");
		const [profile, ...links] = about;
		this.title = profile?.title ?? person?.name ?? "";
		keepFocus(this.element, () => this.element.replaceChildren(...[
			...this.#head(person, profile),
			profile && this.#actions(profile),
			profile?.body && el("p", { class: "read", dir: "auto" }, textNodes(profile.body, { entities: profile.entities })),
			profile && this.#facts(profile, links, person),
			profile && this.#sharedCommunities(),
			profile && this.#nextEvents(),
		].filter(Boolean)));
	}

	// #section returns the items of a section of the panel.
	#section(id) {
		return this.#panel?.sections?.find((section) => section.id === id)?.items ?? [];
	}

	// #object is the object of the profile, undefined if the dataset does not contain it.
	get #object() {
		const isProfile = ({ object_type: type, state }) => type === "profile" && Number(state?.member_id) === Number(this.id);
		return this.app.store.dataset?.objects?.find(isProfile);
	}

	// #head returns the nodes of the picture, the name, the circle and the presence.
	#head(person, profile) {
		const { words } = this.app;
		const actor = profile?.actor ?? person?.actor;
		const name = profile?.title ?? person?.name ?? words.loading();
		const pronouns = profile?.metadata?.pronouns;
		const depth = profile?.metadata?.circle?.depth ?? person?.depth ?? 0;
		const circle = depth > 0 ? words.people.inCircle(depth) : profile && words.people.noCircle();
		const line = [circle, presenceLine(actor, words)].filter(Boolean).join(" · ");
		const picture = avatar({
			name, id: this.id, color: actor?.color, image: actor?.avatar?.url, size: "l", presence: actor?.presence?.state,
		});
		return [el("div", { class: "prof-head" }, picture,
			el("div", { class: "grow" },
				el("h2", { tabindex: "-1" },
					el("bdi", { text: name }), pronouns && [" ", el("span", { class: "quiet", dir: "auto", text: pronouns })]),
				el("p", { class: "quiet", dir: "auto", text: line })))];
	}

	// #actions returns the line with the buttons: to send a message, to invite the member, and a menu; or
	// null if there are none.
	#actions(profile) {
		const { app } = this;
		const { words, store } = app;
		const name = this.title;
		const username = profile.actor?.username;
		const targets = invitationTargets(store, this.#section("shared_communities").map(({ id }) => id));
		const block = profile.actions?.find(({ type }) => type === "social.block")
			?? (this.#object && store.actionOn(this.#object.world_object_id, "social.block"));
		const inviteItems = () => targets.map(({ title, action }) => ({ label: title, run: () => this.#invite(action, username, title) }));
		const invite = username && targets.length > 0
			&& menuButton(button({ label: words.people.inviteTo(), icon: "invite" }), inviteItems, { label: words.people.inviteTo() });
		const label = words.frame.moreFor(name);
		const moreItems = () => [{ label: block.label, icon: "block", bad: block.destructive, run: () => this.#block(block, name) }];
		const more = block && menuButton(button({ label, icon: "more", iconOnly: true }), moreItems, { label, end: true });
		const nodes = [this.#messageButton(username), invite, more].filter(Boolean);
		return nodes.length > 0 ? el("div", { class: "line wrap" }, nodes) : null;
	}

	// #messageButton returns the link to the thread with the member, or else the button that opens the
	// form of the first message, or null if the member may not send one.
	#messageButton(username) {
		const { app } = this;
		const { words, store } = app;
		const thread = threadWith(store, this.id);
		const label = words.people.message();
		if (thread) return el("a", { class: "btn primary", href: app.href({ kind: "at", id: thread.world_object_id }) }, icon("message"), label);
		const startDM = this.#panel.action_descriptors?.find(({ id }) => id === "start_dm");
		const startThread = username && store.dataset?.actions?.find(({ type }) => type === "start_thread");
		if (!startDM && !startThread) return null;
		const withRecipient = (control) => (control.type === "member" ? { ...control, type: "hidden", default: username } : control);
		const run = () => (startDM ? this.#start(startDM) : this.#start(startThread, startThread.controls.map(withRecipient)));
		return button({ label, icon: "message", kind: "primary", run });
	}

	// #start opens the form of an action that starts a thread, and then shows the thread. controls
	// replace the controls of the action.
	async #start(action, controls) {
		const { app } = this;
		const { words, store } = app;
		const options = { title: words.people.messageTo(this.title), submit: words.people.send(), ...(controls && { controls }) };
		const data = await app.actions.openForm(action, options);
		const query = data?.dm ? { view: "dms", id: data.dm.id } : data?.thread ? { thread: data.thread.id } : null;
		const service = query && store.service(data.dm ? "social" : "messages")?.content_source;
		if (service) app.go({ ...routeOfPanel(store.session, service), query });
	}

	// #invite invites the member to a community or an event with a title.
	#invite(action, username, title) {
		const control = action.controls?.find(({ type }) => type === "members" || type === "member");
		const value = control?.multiple || control?.type === "members" ? [username] : username;
		return this.app.actions.perform(action, { values: { [control.id]: value }, doneText: this.app.words.people.invited(this.title, title) });
	}

	async #block(action, name) {
		if ((await this.app.actions.perform(action, { doneText: this.app.words.people.blockedDone(name) })) !== null) this.onBlocked();
	}

	// #facts returns the description list of the user name, the links, the circle and the visibility of
	// the profile.
	#facts(profile, links, person) {
		const { words } = this.app;
		const fact = (name, label, content) => el("div", {}, el("dt", {}, icon(name), screenReaderText(label)), el("dd", {}, content));
		const depth = profile.metadata?.circle?.depth ?? person?.depth ?? 0;
		const via = (person?.via ?? []).map(({ title }) => title).filter(Boolean);
		const why = words.people.because(depth, via.length > 0 ? words.list(via) : "");
		const isWebAddress = (url) => /^https?:\/\//i.test(url);
		const linkOrText = (url) => (
			isWebAddress(url) ? el("a", { class: "link", dir: "auto", ...externalLink(url) }) : el("span", { dir: "auto" }));
		return el("dl", { class: "facts" },
			profile.actor?.username && fact("person", words.people.username(), el("bdi", { text: `@${profile.actor.username}` })),
			links.map((link) => {
				const node = linkOrText(link.summary);
				node.textContent = link.title || link.summary;
				return fact("link", words.people.link(), node);
			}),
			why && fact("circles", words.people.circles(), el("span", { dir: "auto", text: why })),
			profile.metadata?.visibility && fact("eye", words.people.visibility(), words.people.visibleTo(profile.metadata.visibility)));
	}

	// #sharedCommunities returns the section of the communities of both members, or null for none.
	#sharedCommunities() {
		const { app } = this;
		const { words } = app;
		const items = this.#section("shared_communities");
		if (items.length === 0) return null;
		return el("section", {}, sectionHead(words.people.shared()), el("ul", { class: "rows" }, items.map((item) => {
			const route = openRoute(app, item);
			const { color, avatar: image, visibility, member_count: count } = item.metadata ?? {};
			return el("li", {}, row({
				words, title: item.title, sub: words.social.communityFacts(visibility, count), href: route ? app.href(route) : undefined,
				picture: avatar({ name: item.title, id: item.id, color, image: image?.url, square: true }),
			}));
		})));
	}

	// #nextEvents returns the section of the next events of both members, or null for none.
	#nextEvents() {
		const { app } = this;
		const { words, store } = app;
		const events = nextEvents(store, this.id, this.#section("shared_communities").map(({ id }) => id), { now: Date.now(), zone: words.zone });
		if (events.length === 0) return null;
		return el("section", {}, sectionHead(words.people.nextTogether()), el("ul", { class: "rows" }, events.map((event) => {
			const { state, world_object_id: id, title } = event.object;
			const isHost = Number(state.host?.id) === Number(this.id);
			const sub = [startText(app, event), state.location?.label, isHost && words.people.hosts(this.title)].filter(Boolean).join(" · ");
			const color = colorOfEvent(app, {
				id: event.object.source?.resource_id,
				community: state.community_id && { id: state.community_id }, host: { ...state.host, member_id: state.host?.id },
			});
			const picture = dateBox(app, event.start, { color, small: true });
			return el("li", {}, row({ words, title, sub, href: app.href({ kind: "at", id }), picture }));
		})));
	}

	// end ends the subscriptions.
	end() {
		this.scope.end();
	}
}
