// People: the members by circle or by name, one of them, and the drawing of the circles.

import { avatar } from "../parts/avatar.js";
import { el, icon, isPhone } from "../parts/el.js";
import { skeleton } from "../parts/empty.js";
import { segmented } from "../parts/tabs.js";
import { bar, selfButton } from "../frame/bar.js";
import { keepFocus } from "../frame/focus.js";
import { parametersOf, routeOfPanel } from "../frame/routes.js";
import { Pages } from "../frame/pages.js";
import { problem } from "../frame/problem.js";
import { withQuery } from "../world/dispatch.js";
import { blockedList, peopleList } from "./list.js";
import { peopleOf } from "./model.js";
import { ownView } from "./own.js";
import { Person } from "./person.js";
import { drawCircles } from "./rings.js";

const PAGES = 20; // of the list of members that a search reads

// open returns the view of a route: the profile of the member, or the people.
export function open(app, route, located) {
	const { mode, id } = shownBy(app, route, located);
	if (mode === "profile" || (id && Number(id) === app.store.memberId)) return ownView(app, route, located);
	return new PeopleView(app, route, located);
}

// shownBy returns what a route shows: { mode, id }. mode is a view of Social.
function shownBy(app, route, { object, url }) {
	if (route.kind === "at" && object) return { mode: "person", id: String(object.state?.member_id ?? object.source.resource_id) };
	const { view = "people", id } = { ...parametersOf(url ?? ""), ...route.query };
	return id ? { mode: "person", id } : { mode: view, id: null };
}

class PeopleView {
	noRail = true;
	kind = "people-view";
	#circles = null;
	#blocked = [];
	#block; // the action that blocks a member
	#query = "";
	#failures = new Map(); // view → { error, again } of its panel, which could not be read

	constructor(app, route, located) {
		const { words } = app;
		this.app = app;
		this.scope = app.scope();
		this.members = new Pages(app, "people", this.scope, () => this.#draw());
		this.input = el("input", { class: "bare-input", type: "search", "aria-label": words.people.find(), placeholder: words.people.find(), autocomplete: "off", enterkeyhint: "search" });
		this.input.addEventListener("input", () => this.#onSearch());
		this.input.addEventListener("keydown", (event) => this.#onKey(event));
		this.bar = el("div", {});
		this.list = el("div", { class: "ppl-items" }, skeleton({ words, rows: 6 }));
		this.segments = el("div", { class: "only-phone ppl-seg stack-s" });
		this.column = el("section", { class: "ppl-list", "aria-label": words.people.title() }, this.segments, this.list);
		this.rings = el("aside", { class: "ppl-rings", "aria-label": words.people.yourCircles() });
		this.split = el("div", { class: "split three ppl" });
		this.element = [this.bar, el("div", { class: "pane flush" }, this.split)];
		this.mode = "circles";
		this.#show(route, located);
		addEventListener("resize", () => this.#onResize(), { signal: this.scope.signal });
		this.#read("people", (panel) => this.#setPeople(panel));
		this.#read("circles", (panel) => { this.#circles = panel; this.#draw(); });
	}

	#read(view, show) {
		this.scope.panel(withQuery(this.app.store.service("social").content_source, { view }), ["social", "identity"], (panel) => { this.#failures.delete(view); show(panel); }, (error, wasShown, again) => {
			if (wasShown) return;
			this.#failures.set(view, { error, again });
			this.#draw();
		});
	}

	// #readAgain reads the panels that could not be read.
	#readAgain() {
		for (const { again } of this.#failures.values()) again();
	}

	title = () => this.person?.title || this.app.words.people.title();
	keys = { e: () => this.input.focus() };

	#show(route, located) {
		const { mode, id } = shownBy(this.app, route, located);
		if (mode !== "person") this.mode = ["circles", "blocks"].includes(mode) ? mode : "people";
		this.chosen = id;
		this.#showBar();
		this.#draw();
	}

	// #onResize moves the search between the bar and the list.
	#onResize() {
		if (this.input.closest(".bar") ? isPhone() : !isPhone()) this.#showBar();
	}

	// update shows another member or another order of the list.
	update(route, located) {
		const { mode, id } = shownBy(this.app, route, located);
		if (mode === "profile" || (id && Number(id) === this.app.store.memberId)) return false;
		const before = this.chosen;
		this.#show(route, located);
		if (this.chosen !== before) this.#focusChosen();
		return true;
	}

	#focusChosen() {
		if (isPhone()) scrollTo(0, 0);
		if (this.chosen) (isPhone() ? this.bar.querySelector("h1") : this.person.element.querySelector("h2"))?.focus({ preventScroll: true });
		else this.bar.querySelector("h1")?.focus({ preventScroll: true });
	}

	get base() {
		const { store } = this.app;
		return routeOfPanel(store.session, store.service("social").content_source);
	}

	#showBar() {
		const { app } = this;
		const { words } = app;
		const items = [{ value: "circles", label: words.people.circles() }, { value: "people", label: words.people.everybody() }, { value: "blocks", label: words.people.blocked() }];
		const control = (full) => segmented(items, { label: words.people.show(), value: this.mode, full, choose: (view) => app.go({ ...this.base, query: { view } }) }).element;
		const start = el("span", { class: "not-phone" }, control(false));
		const find = el("div", { class: "input bar-find" }, icon("search"), this.input);
		const hadFocus = document.activeElement === this.input;
		const onPhone = isPhone();
		this.bar.replaceChildren(bar(app, {
			title: words.people.title(), back: this.chosen ? { ...this.base, query: { view: this.mode } } : null, start: [start],
			end: [!onPhone && find, selfButton(app, avatar({ ...app.self(), size: "s" }))].filter(Boolean),
		}));
		this.segments.replaceChildren(...[control(true), onPhone && find].filter(Boolean));
		if (hadFocus) this.input.focus();
	}

	#setPeople(panel) {
		this.members.setFirst(panel);
		this.#blocked = panel.sections?.find(({ id }) => id === "blocked")?.items ?? [];
		this.#block = panel.action_descriptors?.find(({ id }) => id === "block");
		this.isKnown = true;
		this.#draw();
	}

	get people() {
		return peopleOf(this.members.items, this.#circles);
	}

	hrefOf({ id }) {
		return this.app.href({ ...this.base, query: { view: "people", id } });
	}

	#draw() {
		const { app } = this;
		const { words, store } = app;
		this.split.classList.toggle("no-one", !this.chosen);
		const missing = !this.isKnown ? "people" : this.mode === "circles" && !this.#circles ? "circles" : null;
		if (missing) {
			const failure = this.#failures.get(missing);
			if (failure) this.list.replaceChildren(problem(failure.error, words, () => this.#readAgain()));
			return this.#place();
		}
		const people = this.people;
		const others = people.filter(({ id }) => Number(id) !== store.memberId);
		const isBlocks = this.mode === "blocks" && !this.#query;
		const shownId = this.chosen ?? (isBlocks ? null : this.#first(others));
		this.#choose(shownId, people);
		const nodes = (isBlocks ? blockedList(app, this.#blocked, this.#block)
			: peopleList(app, { people: this.mode === "people" ? people : others, mode: this.mode === "blocks" ? "people" : this.mode, query: this.#query, current: matchMedia("(min-width: 80rem)").matches ? shownId : this.chosen, hrefOf: (person) => this.hrefOf(person) })).filter(Boolean);
		if (this.members.hasMore && this.mode === "people" && !this.#query) nodes.push(this.members.more(words.people.more()));
		keepFocus(this.list, () => this.list.replaceChildren(...nodes));
		this.#drawRings(others);
		return this.#place();
	}

	// #first is the member that is shown beside the list if none is chosen.
	#first(people) {
		return this.shownFirst && people.some(({ id }) => id === this.shownFirst) ? this.shownFirst : (this.shownFirst = firstIn(people, this.mode, this.app.words.locale));
	}

	#choose(id, people = []) {
		if (this.person?.id === id) return;
		this.person?.end();
		const known = () => this.people.find((person) => person.id === id) ?? people.find((person) => person.id === id);
		this.person = id ? new Person(this.app, { id, known: known(), circleOf: known, gone: () => this.app.go({ ...this.base, query: { view: "blocks" } }) }) : null;
	}

	#place() {
		if (this.chosen && this.person?.id !== this.chosen) this.#choose(this.chosen);
		const nodes = [this.column, this.person?.element ?? el("section", { class: "ppl-one" }), this.rings];
		if (nodes.some((node, i) => this.split.children[i] !== node)) this.split.replaceChildren(...nodes);
	}

	#drawRings(people) {
		const { app } = this;
		const { words } = app;
		const counts = [1, 2, 3].map((depth) => people.filter((person) => person.depth === depth).length);
		const label = words.people.ringsLabel(...counts);
		const text = JSON.stringify([label, people.map(({ id, name, depth, actor }) => [id, name, depth, actor?.color, actor?.avatar?.url])]);
		if (this.ringsText === text) return;
		this.ringsText = text;
		this.rings.replaceChildren(el("h2", { text: words.people.yourCircles() }),
			drawCircles(people, { self: app.self(), label, titleOf: (depth) => words.people.circle(depth), more: (count) => words.more(count) }),
			el("p", { class: "quiet small", text: words.people.howCircles() }));
	}

	#onSearch() {
		this.#query = this.input.value.trim();
		this.#draw();
		if (this.#query && this.members.hasMore && !this.isSearching) this.#readAll();
	}

	#onKey(event) {
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

	// #readAll reads all pages, so that a search finds every member.
	async #readAll() {
		this.isSearching = true;
		for (let page = 0; this.members.hasMore && page < PAGES; page++) if (!(await this.members.readMore())) break;
		this.isSearching = false;
	}

	close() {
		this.person?.end();
		this.scope.end();
	}
}

// firstIn returns the id of the member at the top of the list.
function firstIn(people, mode, locale) {
	const { compare } = new Intl.Collator(locale, { sensitivity: "base" });
	const rank = ({ depth }) => (mode === "people" ? 0 : (depth || 4));
	return [...people].sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name))[0]?.id ?? null;
}
