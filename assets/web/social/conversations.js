// The view of conversations: the list of the conversations of a community or of all conversations, the
// open conversation, and the column of a community.

import { button, el, icon, isPhone, uid } from "../parts/el.js";
import { emptyView, skeleton } from "../parts/empty.js";
import { bar } from "../frame/bar.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { communityBar, communityItemOf, communityTabs, sideColumn } from "./community.js";
import { actionOf, formOf, matchingItems, panelURL, routeOf, sectionOf } from "./data.js";
import { change, create, firstAction, invite, moreButton, replaceChildren, showGone, socialBar, socialTabs, tabKeys } from "./frame.js";
import { linkItem } from "../frame/link.js";
import { conversationRow, list } from "./rows.js";
import { Thread } from "./thread.js";

// conversationsView returns the view of conversations. community is the id of the community whose
// conversations are listed, or "" for all conversations; conversation is the id of the open one, or "".
export function conversationsView(app, { community, conversation }) {
	return isPhone() && conversation ? phoneView(app, { community, conversation }) : columnsView(app, { community, conversation });
}

// phoneView returns the view of one conversation on a phone.
function phoneView(app, { community, conversation }) {
	const scope = app.scope();
	const head = el("div", { class: "deep-head" });
	const back = routeOf(app.store, community ? { view: "communities", id: community } : { view: "conversations" });
	const column = new ConversationColumn(app, scope, conversation, {
		scroller: () => document.scrollingElement, showBar: (options) => head.replaceChildren(bar(app, { ...options, back })),
	});
	head.replaceChildren(bar(app, { title: app.words.loading(), back }));
	return {
		title: () => column.title, element: [head, el("div", { class: "pane flush" }, column.element)],
		isDeep: true, usesFullWidth: true, close: () => scope.end(), keys: { e: () => column.change() },
	};
}

// columnsView returns the view of the list of conversations, with the open conversation beside it on a
// large screen.
function columnsView(app, { community, conversation }) {
	const { words, store } = app;
	const scope = app.scope();
	const head = el("div", { class: community ? "comm-head" : "soc-head" });
	const main = el("section", { class: "col comm-talk", "aria-label": words.social.conversation() });
	const side = el("aside", { class: "comm-side stack-l", "aria-label": words.social.inCommunity() });
	const split = el("div", { class: `split comm${community ? " three" : " talk-two"}` });
	const conversations = new ConversationList(app, scope, { community, chosen: conversation });
	const columns = [conversations.element, main, community && side].filter(Boolean);
	split.append(...columns);
	// On a phone, the list of a community is below the next events. It stays hidden until the panel with
	// both has arrived, so that it does not move.
	const isBelow = Boolean(community) && isPhone();
	conversations.element.hidden = isBelow;
	if (isBelow) side.append(skeleton({ words, rows: 5 }));
	let column = null;
	let columnScope = null;
	let panel = null;

	const view = {
		title: () => column?.title || panel?.title || words.social.title(), element: [head, el("div", { class: "pane flush" }, split)],
		usesFullWidth: true,
		close: () => { columnScope?.end(); scope.end(); },
		keys: { n: () => conversations.create(), e: () => column?.change(), ...(community ? {} : tabKeys(app, () => panel)) },
		update: (next) => {
			const hasSameList = community ? next.community === community && !next.part : next.view === "conversations";
			if (!hasSameList || (isPhone() && (next.conversation || conversation))) return false;
			open(next.conversation);
			return true;
		},
	};

	// open shows a conversation in the column, or the first one of the list if id is "". On a phone,
	// which has no column, it does nothing.
	function open(id) {
		if (isPhone()) return;
		const shownId = id || conversations.items[0]?.id || "";
		conversations.markOpenRow(shownId);
		if (column?.id === shownId && shownId) {
			if (id) column.thread.startReading();
			return;
		}
		columnScope?.end();
		columnScope = app.scope();
		column = shownId ? new ConversationColumn(app, columnScope, shownId, {
			scroller: () => main, showBar: null, where: !community, isPreview: !id,
		}) : null;
		main.replaceChildren(...(column ? [column.element] : panel ? [emptyNode()] : []));
		app.frame.refresh();
	}

	const emptyNode = () => noConversations(app, panel, community);

	const show = (next) => {
		panel = next;
		if (main.parentNode !== split) split.replaceChildren(...columns); // after an error
		conversations.element.hidden = false;
		const form = formOf(panel, "create_conversation");
		replaceChildren(head, community
			? [communityBar(app, panel), communityTabs(app, panel, "talk")]
			: [socialBar(app, panel, { actions: [form].filter(Boolean) }), socialTabs(app, panel)]);
		conversations.show(panel, { form, name: community && panel.title, emptyNode: isPhone() && emptyNode });
		if (community) replaceChildren(side, sideColumn(app, panel));
		if (!column) open(conversation);
		app.frame.refresh();
	};
	const back = community ? routeOf(store, { view: "communities" }) : undefined;
	head.append(bar(app, { kind: community ? "comm-bar" : "", title: words.social.title(), back }), el("div", { class: "tabs" }));
	if (conversation) open(conversation);
	const url = panelURL(store, community ? { view: "communities", id: community } : { view: "conversations" });
	scope.panel(url, ["social"], show, (error) => {
		if (error.status === 404) return showGone(app, head, split); // the member has left the community, or it was deleted
		if (panel) return undefined;
		conversations.element.hidden = false;
		side.replaceChildren();
		return conversations.fail(error);
	});
	return view;
}

// noConversations returns the node that replaces an empty list of conversations. Its action invites
// others to a community whose only member is the member, or else starts a conversation.
function noConversations(app, panel, community) {
	const { words } = app;
	const invitation = community && communityItemOf(panel).metadata.member_count === 1 && formOf(panel, "invite");
	const form = formOf(panel, "create_conversation");
	return emptyView({
		art: "chair", title: words.social.noConversations(), text: invitation ? words.social.aloneText() : words.social.sayWhat(),
		action: invitation
			? { label: invitation.label, icon: "invite", run: () => invite(app, invitation) }
			: firstAction(app, form, { community: community && panel.title }),
	});
}

// ConversationList is the list of conversations with its search field.
class ConversationList {
	element = el("section", { class: "comm-list" });
	#pages; // Pages of the section with the conversations
	#form = null; // the form of a new conversation

	// community is the id of the community, "" for all conversations. chosen is the id of the open
	// conversation, or "".
	constructor(app, scope, { community, chosen }) {
		Object.assign(this, { app, community, chosen });
		const { words } = app;
		this.#pages = new Pages(app, community ? "latest_conversations" : "conversations", scope, () => this.#show());
		this.element.setAttribute("aria-label", words.social.conversations());
		this.field = el("input", {
			class: "bare-input", type: "search", "aria-label": words.social.searchConversations(), placeholder: words.social.search(),
			on: { input: () => this.#show() },
		});
		this.add = button({ label: words.social.newConversation(), icon: "edit", iconOnly: true, hidden: true, run: () => this.create() });
		this.body = el("div", {}, skeleton({ words, rows: 5 }));
		this.emptyNode = () => el("p", { class: "quiet small list-note", text: words.social.noConversations() });
		this.element.append(
			el("div", { class: "list-tools" }, el("div", { class: "input" }, icon("search"), this.field), this.add), this.body);
	}

	// items are the conversation items of the pages that are loaded.
	get items() {
		return this.#pages.items;
	}

	// show shows a panel. form is the form of a new conversation, name the title of the community, and
	// emptyNode a function that returns the node for an empty list; falsy values mean none.
	show(panel, { form, name, emptyNode }) {
		this.#pages.setFirst(panel);
		this.name = name;
		this.emptyNode = emptyNode || this.emptyNode;
		this.#form = form;
		this.add.hidden = !form;
		this.#show();
	}

	// fail shows the error of a panel that could not be read.
	fail(error) {
		this.body.replaceChildren(el("div", { class: "list-note" }, problem(error, this.app.words, () => this.app.show())));
	}

	// markOpenRow marks the row of the open conversation.
	markOpenRow(id) {
		this.chosen = id;
		for (const link of this.body.querySelectorAll("a.row")) link.toggleAttribute("aria-current", false);
		if (this.items.length > 0) this.#show();
	}

	// create opens the form of a new conversation, if the member may start one.
	create() {
		return this.#form && create(this.app, this.#form, { community: this.name });
	}

	// #show renders the rows that match the search.
	#show() {
		const { words } = this.app;
		const conversations = this.items;
		const matches = matchingItems(conversations, this.field.value);
		if (conversations.length === 0) return replaceChildren(this.body, this.emptyNode());
		const rowOf = (item) => conversationRow(this.app, item, { current: this.chosen, where: !this.community });
		const content = matches.length > 0 ? list(matches.map(rowOf), "inbox-list")
			: el("p", { class: "quiet small list-note", text: words.noOptions() });
		return replaceChildren(this.body, content, this.#pages.more(words.social.more()));
	}
}

// ConversationColumn is a conversation with its title.
class ConversationColumn {
	title = "";
	#panel = null;

	// id is the id of the conversation. Options: scroller, an option of Thread; showBar, a function that shows
	// a bar with its options title, sub and end, or null if the column has a heading instead; where,
	// whether the name of the community is shown; isPreview, an option of Thread.
	constructor(app, scope, id, { scroller, showBar, where = true, isPreview = false }) {
		Object.assign(this, { app, scope, id, showBar, where });
		const { words } = app;
		this.heading = el("div", { class: showBar ? null : "talk-head" });
		const url = panelURL(app.store, { view: "conversations", id });
		this.thread = new Thread(app, scope, {
			id, url, label: words.social.posts(), replyLabel: words.social.reply(), scroll: true, scroller, isPreview,
		});
		this.body = el("div", { class: "col-body" }, skeleton({ words, rows: 4 }));
		this.element = el("div", { class: "col talk-col" }, this.heading, this.body, this.thread.foot);
		scope.panel(url, ["social"], (panel) => this.#show(panel), (error) => this.#fail(error)).then(() => this.thread.markVisible());
	}

	// change opens the form that changes the conversation. It returns false if the member may not change
	// it.
	change() {
		return change(this.app, formOf(this.#panel, "update"));
	}

	#show(panel) {
		const { app } = this;
		const { words } = app;
		const [item] = sectionOf(panel, "conversation").items;
		this.#panel = panel;
		this.title = panel.title;
		const { metadata: data } = item;
		const sub = [
			this.where && item.context?.type === "community" && item.context.title, item.actor?.display_name,
			words.social.people(data.participant_count ?? 1),
			item.reply_count ? words.social.replies(item.reply_count) : words.social.noReplies(),
			data.state === "closed" && words.social.closed(),
		].filter(Boolean).join(" · ");
		const menu = moreButton(app, this.#menuItems(panel, item), words.frame.moreFor(panel.title));
		if (this.showBar) this.showBar({ title: panel.title, sub, end: [menu].filter(Boolean) });
		else this.#showHeading(panel, sub, menu);
		if (this.thread.element.parentNode !== this.body) this.body.replaceChildren(this.thread.element); // also after an error
		this.thread.show(panel, { item, opening: { ...item, id: `opening ${item.id}` } });
		app.frame.refresh();
	}

	#showHeading(panel, sub, menu) {
		const id = uid("talk");
		replaceChildren(this.heading, el("div", { class: "col-head" },
			el("div", { class: "grow" },
				el("h2", { id, dir: "auto", text: panel.title }), el("p", { class: "quiet tiny", dir: "auto", text: sub })),
			menu));
	}

	// #menuItems returns the items of the menu of the conversation.
	#menuItems(panel, item) {
		const { app } = this;
		const form = formOf(panel, "update");
		const actions = ["mark_unread", "close", "reopen"].map((name) => actionOf(item, name)).filter(Boolean);
		return [
			form && { label: form.label, icon: "edit", keys: "e", run: () => change(app, form) }, linkItem(app),
			...app.actions.items(actions, { name: panel.title }),
		];
	}

	#fail(error) {
		const { words } = this.app;
		if (error.status === 404) {
			return this.body.replaceChildren(emptyView({ art: "lamp", title: words.frame.gone(), text: words.frame.goneText() }));
		}
		if (!this.#panel) this.body.replaceChildren(problem(error, words, () => this.app.show()));
		return undefined;
	}
}
