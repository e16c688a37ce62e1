// The area People: the list of members, the profile of one of them, and the drawing of the circles.

import { el, icon, isComposing, isPhone } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { segmented } from "../parts/tabs.js";
import { bar } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { parametersOf, routeOfPanel } from "../frame/routes.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { replaceChildren, socialBar, socialTabs, tabKeys } from "../social/frame.js";
import { withQuery } from "../world/dispatch.js";
import { peopleList } from "./list.js";
import { peopleOf } from "./model.js";
import { ownProfileView } from "./ownprofile.js";
import { Person } from "./person.js";
import { drawCircles } from "./circledrawing.js";

const MAX_SEARCH_PAGES = 20; // maximum number of pages of the list of members that a search reads

// open returns the view of a route: the profile of the member, or the list of members. match is the
// result of matchRoute for the route.
export function open(app, route, match) {
	const { mode, id } = targetOf(app, route, match);
	if (mode === "profile" || (id && Number(id) === app.store.memberId)) return ownProfileView(app, route, match);
	return new PeopleView(app, route, match);
}

// targetOf returns the target of a route, { mode, id }: "person" and the id of a member, or the name of
// a view of Social and null.
function targetOf(app, route, { object, url }) {
	if (route.kind === "at" && object) return { mode: "person", id: String(object.state?.member_id ?? object.source.resource_id) };
	const { view = "people", id } = { ...parametersOf(url ?? ""), ...route.query };
	return id ? { mode: "person", id } : { mode: view, id: null };
}

// PeopleView is the view of the list of members and of the chosen member.
class PeopleView {
	usesFullWidth = true;
	kind = "people-view";
	#circles = null; // panel of the circles
	#panel = null; // panel of the members
	#query = ""; // text of the search
	#hasFailed = false; // whether a page could not be read during the present search: each letter would show the error
	#failures = new Map(); // view → { error, retry } of a panel that could not be read

	constructor(app, route, match) {
		const { words } = app;
		this.app = app;
		this.scope = app.scope();
		this.members = new Pages(app, "people", this.scope, () => this.#draw());
		this.input = el("input", {
			class: "bare-input", type: "search", "aria-label": words.people.find(), placeholder: words.people.find(),
			autocomplete: "off", enterkeyhint: "search",
		});
		this.input.addEventListener("input", () => this.#onSearch());
		this.input.addEventListener("keydown", (event) => this.#onKey(event));
		this.bar = el("div", { class: "soc-head" });
		this.list = el("div", { class: "ppl-items" }, skeleton({ words, rows: 6 }));
		this.segments = el("div", { class: "ppl-seg stack-s" });
		this.column = el("section", { class: "ppl-list", "aria-label": words.people.title() }, this.segments, this.list);
		this.noPerson = el("section", { class: "ppl-one" }); // the column of the member while none is shown
		this.drawing = el("aside", { class: "ppl-rings", "aria-label": words.people.yourCircles() });
		this.split = el("div", { class: "split three ppl" });
		this.element = [this.bar, el("div", { class: "pane flush" }, this.split)];
		this.mode = "circles";
		this.#show(route, match);
		const onResize = () => this.hasBack !== Boolean(this.chosen && isPhone()) && this.#showBar();
		addEventListener("resize", onResize, { signal: this.scope.signal });
		this.#read("people", (panel) => this.#setPeople(panel));
		this.#read("circles", (panel) => { this.#circles = panel; this.#draw(); });
	}

	// #read reads the panel of a view of Social and keeps it current. show is called with the panel.
	#read(view, show) {
		const url = withQuery(this.app.store.service("social").content_source, { view });
		const onPanel = (panel) => { this.#failures.delete(view); show(panel); };
		this.scope.panel(url, ["social", "identity"], onPanel, (error, wasShown, retry) => {
			if (wasShown) return;
			this.#failures.set(view, { error, retry });
			this.#draw();
		});
	}

	// #readAgain reads the panels that could not be read.
	#readAgain() {
		for (const { retry } of this.#failures.values()) retry();
	}

	title = () => this.person?.title || this.app.words.people.title();
	keys = { e: () => this.input.focus(), ...tabKeys(this.app, () => this.#panel) };

	// #show shows a route. A route of a member does not change the mode of the list.
	#show(route, match) {
		const { mode, id } = targetOf(this.app, route, match);
		if (mode !== "person") this.mode = mode === "circles" ? mode : "people";
		this.chosen = id;
		this.#showBar();
		this.#draw();
	}

	// update shows the route in the present view, and returns whether it can. It cannot show the profile of
	// the member.
	update(route, match) {
		const { mode, id } = targetOf(this.app, route, match);
		if (mode === "profile" || (id && Number(id) === this.app.store.memberId)) return false;
		const previousId = this.chosen;
		this.#show(route, match);
		if (this.chosen !== previousId) this.#focusChosen();
		return true;
	}

	// #focusChosen focuses the heading of the chosen member on a large screen, or else the heading of the view.
	#focusChosen() {
		if (isPhone()) scrollTo(0, 0);
		const heading = this.chosen && !isPhone() ? this.person.element.querySelector("h2") : this.bar.querySelector("h1");
		heading?.focus({ preventScroll: true });
	}

	// base is the route of the panel of Social.
	get base() {
		const { store } = this.app;
		return routeOfPanel(store.session, store.service("social").content_source);
	}

	// #showBar renders the bar and the tabs of Social, and above the list the control of its mode and the search
	// field. While a member is shown, a phone has only a bar that leads back to the list.
	#showBar() {
		const { app } = this;
		const { words } = app;
		const items = [{ value: "people", label: words.people.everybody() }, { value: "circles", label: words.people.circles() }];
		const choose = (view) => app.go({ ...this.base, query: { view } });
		const control = segmented(items, { label: words.people.show(), value: this.mode, full: true, choose }).element;
		this.hasBack = Boolean(this.chosen && isPhone());
		const nodes = this.hasBack
			? [bar(app, { title: words.people.title(), back: { ...this.base, query: { view: this.mode } } })]
			: [socialBar(app, this.#panel, { actions: [] }), el("div", { class: "soc-tabs" }, this.#panel && socialTabs(app, this.#panel))];
		const hadFocus = document.activeElement === this.input;
		replaceChildren(this.bar, nodes);
		const field = el("div", { class: "input bar-find" }, icon("search"), this.input);
		keepFocus(this.segments, () => this.segments.replaceChildren(control, field));
		if (hadFocus) this.input.focus();
	}

	#setPeople(panel) {
		this.members.setFirst(panel);
		this.#panel = panel;
		this.#showBar();
		this.#draw();
	}

	// people are the members that were read, as peopleOf returns them.
	get people() {
		return peopleOf(this.members.items, this.#circles);
	}

	// hrefOf returns the address of a member.
	hrefOf({ id }) {
		return this.app.href({ ...this.base, query: { view: "people", id } });
	}

	// #draw renders the list, the member and the drawing of the circles, as soon as the panels that the
	// mode requires have arrived.
	#draw() {
		const { app } = this;
		const { words, store } = app;
		this.split.classList.toggle("no-one", !this.chosen);
		const missingView = !this.#panel ? "people" : this.mode === "circles" && !this.#circles ? "circles" : null;
		if (missingView) {
			const failure = this.#failures.get(missingView);
			if (failure) keepFocus(this.list, () => this.list.replaceChildren(problem(failure.error, words, () => this.#readAgain())));
			return this.#placeColumns();
		}
		const people = this.people;
		const others = people.filter(({ id }) => Number(id) !== store.memberId);
		const shownId = this.chosen ?? this.#firstId(others);
		this.#setPerson(shownId, people);
		const hasColumns = () => matchMedia("(min-width: 80rem)").matches;
		const nodes = peopleList(app, {
			people: this.mode === "people" ? people : others, mode: this.mode,
			query: this.#query, current: hasColumns() ? shownId : this.chosen, hrefOf: (person) => this.hrefOf(person),
		}).filter(Boolean);
		if (this.members.hasMore && this.mode === "people" && !this.#query) nodes.push(this.members.more(words.people.more()));
		keepFocus(this.list, () => this.list.replaceChildren(...nodes));
		this.#drawCircles(others);
		return this.#placeColumns();
	}

	// #firstId returns the id of the member that is shown beside the list if none is chosen. It is the
	// first member of the list, and stays the same while that member exists.
	#firstId(people) {
		const exists = this.shownFirst && people.some(({ id }) => id === this.shownFirst);
		if (!exists) this.shownFirst = firstIn(people, this.mode, this.app.words.locale);
		return this.shownFirst;
	}

	// #setPerson shows the member with an id, or none if it is null. people are the known members.
	#setPerson(id, people = []) {
		if (this.person?.id === id) return;
		this.person?.end();
		const knownPerson = () => this.people.find((person) => person.id === id) ?? people.find((person) => person.id === id);
		const showList = () => this.app.go({ ...this.base, query: { view: this.mode } }, { replace: true }); // a blocked member has no profile
		this.person = id ? new Person(this.app, { id, known: knownPerson(), knownPerson: knownPerson, onBlocked: showList }) : null;
	}

	// #placeColumns puts the columns into the page. It does nothing if all are in their place, because
	// replaceChildren would reset the focus and the scroll position.
	#placeColumns() {
		if (this.chosen && this.person?.id !== this.chosen) this.#setPerson(this.chosen);
		const nodes = [this.column, this.person?.element ?? this.noPerson, this.drawing];
		if (nodes.some((node, i) => this.split.children[i] !== node)) this.split.replaceChildren(...nodes);
	}

	// #drawCircles draws the circles if they have changed.
	#drawCircles(people) {
		const { app } = this;
		const { words } = app;
		const counts = [1, 2, 3].map((depth) => people.filter((person) => person.depth === depth).length);
		const label = words.people.ringsLabel(...counts);
		const signature = JSON.stringify([label, people.map(({ id, name, depth, actor }) => (
			[id, name, depth, actor?.color, actor?.avatar?.url]))]);
		if (this.drawingSignature === signature) return;
		this.drawingSignature = signature;
		const titleOf = (depth) => words.people.circle(depth);
		this.drawing.replaceChildren(el("h2", { text: words.people.yourCircles() }),
			drawCircles(people, { self: app.signedInMember(), label, titleOf, more: (count) => words.more(count) }),
			el("p", { class: "quiet small", text: words.people.howCircles() }));
	}

	// #onSearch renders the members that match the search, and reads the other pages of the list.
	#onSearch() {
		this.#query = this.input.value.trim();
		this.#draw();
		if (!this.#query) this.#hasFailed = false;
		if (this.#query && this.members.hasMore && !this.isSearching && !this.#hasFailed) this.#readAll();
	}

	#onKey(event) {
		if (isComposing(event)) return;
		if (event.key === "Escape" && this.input.value) {
			event.preventDefault();
			event.stopPropagation();
			this.input.value = "";
			this.#onSearch();
		} else if (event.key === "ArrowDown" || event.key === "Enter") {
			event.preventDefault();
			this.list.querySelector("a.row")?.focus();
		}
	}

	// #readAll reads the remaining pages of the list, at most MAX_SEARCH_PAGES, so that a search finds all members.
	async #readAll() {
		this.isSearching = true;
		for (let page = 0; this.members.hasMore && page < MAX_SEARCH_PAGES && !this.#hasFailed; page++) {
			this.#hasFailed = !(await this.members.readMore());
		}
		this.isSearching = false;
	}

	close() {
		this.person?.end();
		this.scope.end();
	}
}

// firstIn returns the id of the first member of the list in a mode, or null if people is empty.
function firstIn(people, mode, locale) {
	const { compare } = new Intl.Collator(locale, { sensitivity: "base" });
	const rank = ({ depth }) => (mode === "people" ? 0 : (depth || 4));
	return [...people].sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name))[0]?.id ?? null;
}
