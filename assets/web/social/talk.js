// Conversations: the list, the one that is shown, and the column beside it. The list is that
// of a community, or has all conversations.

import { button, el, icon, isPhone, uid } from "../parts/el.js";
import { empty, skeleton } from "../parts/empty.js";
import { bar } from "../frame/bar.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { aboutOf, communityBar, communityTabs, sideOf } from "./community.js";
import { actionOf, formOf, matching, panelURL, routeOf, sectionOf } from "./data.js";
import { change, create, firstAction, invite, moreButton, replaceChildren, showGone, socialBar, socialTabs } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { conversationRow, list } from "./rows.js";
import { Thread } from "./thread.js";

// talkView returns the view of conversations. community and conversation are the ids of what is
// shown, or "".
export function talkView(app, { community, conversation }) {
	return isPhone() && conversation ? deepView(app, { community, conversation }) : columnsView(app, { community, conversation });
}

// deepView returns the view of one conversation on a phone.
function deepView(app, { community, conversation }) {
	const scope = app.scope();
	const head = el("div", { class: "deep-head" });
	const back = routeOf(app.store, community ? { view: "communities", id: community } : { view: "conversations" });
	const column = new Column(app, scope, conversation, { scroller: () => document.scrollingElement, head: (parts) => head.replaceChildren(bar(app, { ...parts, back })) });
	head.replaceChildren(bar(app, { title: app.words.loading(), back }));
	return {
		title: () => column.title, element: [head, el("div", { class: "pane flush" }, column.element)], isDeep: true, noRail: true, close: () => scope.end(), keys: { e: () => column.change() },
	};
}

// columnsView returns the view of the list and a conversation beside it.
function columnsView(app, { community, conversation }) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: community ? "comm-head" : "soc-head" });
	const talk = el("section", { class: "col comm-talk", "aria-label": words.social.conversation() });
	const side = el("aside", { class: "comm-side stack-l", "aria-label": words.social.inCommunity() });
	const split = el("div", { class: `split comm${community ? " three" : " talk-two"}` });
	const found = new ConversationList(app, scope, { community, chosen: conversation });
	split.append(...[found.element, talk, community && side].filter(Boolean));
	const isBelow = Boolean(community) && isPhone(); // the list stands below the next events, which come with it
	found.element.hidden = isBelow;
	if (isBelow) side.append(skeleton({ words, rows: 5 }));
	let column = null;
	let columnScope = null;
	let panel = null;

	const view = {
		title: () => column?.title || panel?.title || words.social.title(), element: [head, el("div", { class: "pane flush" }, split)], noRail: true,
		close: () => { columnScope?.end(); scope.end(); },
		keys: { n: () => found.create(), e: () => column?.change() },
		update: (next) => {
			const isHere = community ? next.community === community && !next.part : next.view === "conversations"; // the list of all conversations stays
			if (!isHere || (isPhone() && (next.conversation || conversation))) return false;
			open(next.conversation);
			return true;
		},
	};

	// open shows a conversation, or the first one of the list.
	function open(id) {
		if (isPhone()) return;
		const wanted = id || found.items[0]?.id || "";
		found.choose(wanted);
		if (column?.id === wanted && wanted) return;
		columnScope?.end();
		columnScope = app.scope();
		column = wanted ? new Column(app, columnScope, wanted, { scroller: () => talk, head: null, where: !community }) : null;
		talk.replaceChildren(...(column ? [column.element] : panel ? [nothingYet()] : []));
		app.frame.refresh();
	}

	const nothingYet = () => noConversations(app, panel, community);

	const show = (next) => {
		panel = next;
		found.element.hidden = false;
		replaceChildren(head, community ? [communityBar(app, panel), communityTabs(app, panel, "talk")] : [socialBar(app, panel, { actions: [formOf(panel, "create_conversation")].filter(Boolean) }), socialTabs(app, panel)]);
		found.show(panel, { form: formOf(panel, "create_conversation"), name: community && panel.title, nothing: isPhone() && nothingYet });
		if (community) replaceChildren(side, sideOf(app, panel));
		if (!column) open(conversation);
		app.frame.refresh();
	};
	head.append(bar(app, { kind: community ? "comm-bar" : "", title: words.social.title(), back: { kind: "today" } }), el("div", { class: "tabs" }));
	if (conversation) open(conversation);
	scope.panel(panelURL(store, community ? { view: "communities", id: community } : { view: "conversations" }), ["social"], show, (error) => {
		if (error.status === 404) return showGone(app, head, split); // the member has left, or it was deleted
		if (panel) return undefined;
		found.element.hidden = false;
		side.replaceChildren();
		return found.fail(error);
	});
	return view;
}

// noConversations returns the view of an empty list of conversations, with the first step: to invite
// others to a community that has one member, or to start a conversation.
function noConversations(app, panel, community) {
	const { words } = app;
	const invitation = community && aboutOf(panel).metadata.member_count === 1 && formOf(panel, "invite");
	const form = formOf(panel, "create_conversation");
	return empty({
		art: "chair", title: words.social.noConversations(), text: invitation ? words.social.aloneText() : words.social.sayWhat(),
		action: invitation ? { label: invitation.label, icon: "invite", run: () => invite(app, invitation) } : firstAction(app, form, { community: community && panel.title }),
	});
}

// ConversationList is the list with its search field.
class ConversationList {
	element = el("section", { class: "comm-list" });
	#pages;
	#form = null;

	constructor(app, scope, { community, chosen }) {
		Object.assign(this, { app, community, chosen });
		const { words } = app;
		this.#pages = new Pages(app, community ? "latest_conversations" : "conversations", scope, () => this.#show());
		this.element.setAttribute("aria-label", words.social.conversations());
		this.field = el("input", { class: "bare-input", type: "search", "aria-label": words.social.searchConversations(), placeholder: words.social.search(), on: { input: () => this.#show() } });
		this.add = button({ label: words.social.newConversation(), icon: "edit", only: true, hidden: true, run: () => this.create() });
		this.body = el("div", {}, skeleton({ words, rows: 5 }));
		this.nothing = () => el("p", { class: "quiet small list-note", text: words.social.noConversations() });
		this.element.append(el("div", { class: "list-tools" }, el("div", { class: "input" }, icon("search"), this.field), this.add), this.body);
	}

	get items() {
		return this.#pages.items;
	}

	show(panel, { form, name, nothing }) {
		this.#pages.setFirst(panel);
		this.name = name; // of the community
		this.nothing = nothing || this.nothing;
		this.#form = form;
		this.add.hidden = !form;
		this.#show();
	}

	fail(error) {
		this.body.replaceChildren(el("div", { class: "list-note" }, problem(error, this.app.words, () => this.app.show())));
	}

	choose(id) {
		this.chosen = id;
		for (const link of this.body.querySelectorAll("a.row")) link.toggleAttribute("aria-current", false);
		if (this.items.length > 0) this.#show();
	}

	create() {
		return this.#form && create(this.app, this.#form, { community: this.name });
	}

	#show() {
		const { words } = this.app;
		const all = this.items;
		const shown = matching(all, this.field.value);
		if (all.length === 0) return replaceChildren(this.body, this.nothing());
		return replaceChildren(this.body, shown.length > 0 ? list(shown.map((item) => conversationRow(this.app, item, { current: this.chosen, where: !this.community })), "inbox-list") : el("p", { class: "quiet small list-note", text: words.noOptions() }),
			this.#pages.more(words.social.more()));
	}
}

// Column is one conversation with its title. head is called with the parts of a bar on a phone;
// without it the column has a title of its own; where adds the community of the conversation.
class Column {
	title = "";
	#panel = null;

	constructor(app, scope, id, { scroller, head, where = true }) {
		Object.assign(this, { app, scope, id, head, where });
		const { words } = app;
		this.heading = el("div", { class: head ? null : "talk-head" });
		const url = panelURL(app.store, { view: "conversations", id });
		this.thread = new Thread(app, scope, { id, url, label: words.social.posts(), replyLabel: words.social.reply(), scroll: true, scroller });
		this.body = el("div", { class: "col-body" }, skeleton({ words, rows: 4 }));
		this.element = el("div", { class: "col talk-col" }, this.heading, this.body, this.thread.foot);
		scope.panel(url, ["social"], (panel) => this.#show(panel), (error) => this.#fail(error)).then(() => this.thread.look());
	}

	// change opens the form of the conversation, if the member may change it.
	change() {
		return change(this.app, formOf(this.#panel, "update"));
	}

	#show(panel) {
		const { app } = this;
		const { words } = app;
		const [item] = sectionOf(panel, "conversation").items;
		const isFirst = !this.#panel;
		this.#panel = panel;
		this.title = panel.title;
		const { metadata: data } = item;
		const sub = [this.where && item.context?.type === "community" && item.context.title, item.actor?.display_name, words.social.people(data.participant_count ?? 1), item.reply_count ? words.social.replies(item.reply_count) : words.social.noReplies(), data.state === "closed" && words.social.closed()].filter(Boolean).join(" · ");
		const menu = moreButton(app, this.#items(panel, item), words.frame.moreFor(panel.title));
		if (this.head) this.head({ title: panel.title, sub, end: [menu].filter(Boolean) });
		else this.#showHeading(panel, item, sub, menu);
		if (isFirst) this.body.replaceChildren(this.thread.element);
		this.thread.show(panel, { item, opening: { ...item, id: `opening ${item.id}` } });
		app.frame.refresh();
	}

	#showHeading(panel, item, sub, menu) {
		const id = uid("talk");
		replaceChildren(this.heading, el("div", { class: "col-head" }, el("div", { class: "grow" }, el("h2", { id, dir: "auto", text: panel.title }), el("p", { class: "quiet tiny", dir: "auto", text: sub })), menu));
	}

	#items(panel, item) {
		const { app } = this;
		const form = formOf(panel, "update");
		const actions = ["mark_unread", "close", "reopen"].map((name) => actionOf(item, name)).filter(Boolean);
		return [form && { label: form.label, icon: "edit", keys: "e", run: () => change(app, form) }, linkItem(app), ...app.acts.items(actions, { name: panel.title })];
	}

	#fail(error) {
		if (error.status === 404) return this.body.replaceChildren(empty({ art: "lamp", title: this.app.words.frame.gone(), text: this.app.words.frame.goneText() }));
		if (!this.#panel) this.body.replaceChildren(problem(error, this.app.words, () => this.app.show()));
		return undefined;
	}
}
