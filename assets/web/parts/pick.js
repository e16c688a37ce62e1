// Fields of forms whose values are searched in a list: time zones, members, places. See
// fields.js for what a field is.

import { button, el, icon } from "./el.js";
import { attachList } from "./list.js";

let zones; // all time zones of the browser

function allZones() {
	zones ??= Intl.supportedValuesOf?.("timeZone") ?? [];
	return zones;
}

// findZones returns the time zones whose name contains all words of a text.
export function findZones(text, list = allZones()) {
	const wanted = text.toLowerCase().replaceAll("_", " ").split(/[\s/,]+/).filter(Boolean);
	const names = list.map((zone) => [zone, zone.toLowerCase().replaceAll("_", " ")]);
	const found = names.filter(([, name]) => wanted.every((word) => name.includes(word)));
	const begins = ([, name]) => (name.split("/").some((part) => part.startsWith(wanted[0] ?? "")) ? 0 : 1);
	return found.sort((a, b) => begins(a) - begins(b)).map(([zone]) => zone);
}

function isZone(text) {
	try {
		return Boolean(text && new Intl.DateTimeFormat("en", { timeZone: text }));
	} catch {
		return false;
	}
}

// FEW is the number of zones that the browser finds below which the server is asked too: it
// knows names that browsers have under older ones, such as Asia/Kolkata.
const FEW = 8;

export function zoneField(control, { id, value, words, changed, options }) {
	const input = el("input", { class: "bare-input", id, type: "text", value: value ?? "" });
	attachList(input, {
		words, label: control.label, openOnFocus: true,
		search: async (text, signal) => (await searchZones(text, signal)).slice(0, 50).map((zone) => ({ value: zone, label: zone.replaceAll("_", " "), detail: words.zoneName(zone).split(", ").at(-1) })),
		current: (found) => found.findIndex((option) => option.value === value),
		pick: (option) => { input.value = option.value; changed(); },
	});
	input.addEventListener("input", changed);
	input.addEventListener("focus", () => input.select());
	async function searchZones(text, signal) {
		if (text === value) return [...new Set([value, words.zone, Intl.DateTimeFormat().resolvedOptions().timeZone, ...allZones()].filter(Boolean))];
		const found = findZones(text);
		if (found.length >= FEW || !control.options_url) return found;
		const more = await options(control, text, signal).catch(() => []);
		return [...new Set([...found, ...more.map((option) => option.value).filter(isZone)])];
	}
	const get = () => {
		const text = input.value.trim();
		if (!text || text === value) return text;
		const named = text.replaceAll(" ", "_");
		return allZones().find((zone) => zone.toLowerCase() === named.toLowerCase()) ?? named;
	};
	return { element: el("div", { class: "input" }, icon("globe"), input), input, get, set: (next) => (input.value = next ?? ""), problem: () => (get() && get() !== value && !isZone(get()) ? words.notAZone() : "") };
}

// placeField is a text; suggestions come from a search of places.
export function placeField(control, { id, value, words, changed, options }) {
	const input = el("input", { class: "bare-input", id, type: "text", value: value ?? "", dir: "auto", on: { input: changed } });
	if (control.options_url) {
		attachList(input, {
			words, label: control.label, delay: 400, fewest: 3,
			search: (text, signal) => options(control, text, signal),
			pick: (option) => { input.value = option.value; changed(); },
		});
	}
	return { element: el("div", { class: "input" }, icon("pin"), input), input, get: () => input.value.trim(), set: (next) => (input.value = next ?? ""), problem: () => "" };
}

// search returns the options of a control that contain a text: those that it has itself, then
// those of its options_url.
async function search(control, options, text, signal) {
	const wanted = text.toLowerCase();
	const own = (control.options ?? []).filter(({ label }) => label.toLowerCase().includes(wanted));
	if (!control.options_url) return own;
	const more = await options(control, text, signal);
	return [...own, ...more.filter(({ value }) => !own.some((option) => option.value === value))];
}

// onlyOne returns the index of the suggestion that Enter takes for a text: 0 if there is exactly
// one suggestion, or else -1. The first of several may be another member than the one meant.
function onlyOne(text, found) {
	return text && found.length === 1 ? 0 : -1;
}

// memberField takes a member of the list, or the text as it is: a user name, an e-mail address
// or a display name. offer(candidates) lets the member choose among those with one name.
export function memberField(control, { id, value, words, changed, options }) {
	const labelOf = (text) => control.options?.find((option) => option.value === text)?.label ?? text;
	let chosen = { value: value ?? "", label: labelOf(value ?? "") };
	const input = el("input", { class: "bare-input", id, type: "text", value: chosen.label, dir: "auto" });
	const candidates = el("div", { class: "chips" });
	const set = (next) => {
		chosen = typeof next === "object" && next ? next : { value: next ?? "", label: labelOf(next ?? "") };
		input.value = chosen.label;
		candidates.replaceChildren();
	};
	attachList(input, { words, label: control.label, delay: 150, openOnFocus: true, search: (text, signal) => search(control, options, text === chosen.label ? "" : text, signal), current: (found) => (input.value.trim() === chosen.label ? -1 : onlyOne(input.value.trim(), found)), pick: (option) => { set(option); changed(); } });
	input.addEventListener("input", changed);
	return {
		element: el("div", { class: "stack-s" }, el("div", { class: "input" }, icon("person"), input), candidates), input, set, problem: () => "",
		get: () => (input.value.trim() === chosen.label ? chosen.value : input.value.trim()),
		offer: (list) => candidates.replaceChildren(...list.map((option) => el("button", { type: "button", class: "chip", dir: "auto", text: option.label, on: { click: () => { set(option); input.focus(); changed(); } } }))),
	};
}

// membersField takes several members: each one chosen is a chip. Enter takes the only suggestion,
// or else the text as it is, as a comma does; Backspace in an empty field removes the last one.
export function membersField(control, { id, value, words, changed, options }) {
	const labelOf = (text) => control.options?.find((option) => option.value === text)?.label ?? text;
	let chosen = [];
	const list = el("ul", { class: "chips", "aria-label": control.label });
	const input = el("input", { class: "bare-input", id, type: "text", dir: "auto" });
	const candidates = el("div", { class: "chips" });

	function set(next) {
		chosen = (next ?? []).map((item) => (typeof item === "object" ? item : { value: item, label: labelOf(item) }));
		draw();
	}

	function draw() {
		list.hidden = chosen.length === 0;
		list.replaceChildren(...chosen.map((option) => el("li", {}, el("button", { type: "button", class: "chip", "aria-label": words.removeItem(option.label), on: { click: () => remove(option) } }, el("span", { dir: "auto", text: option.label }), icon("close", "i-s")))));
	}

	function remove(option) {
		chosen = chosen.filter((other) => other !== option);
		draw();
		input.focus();
		changed();
	}

	function add(option) {
		if (option.value && !chosen.some(({ value: other }) => other === option.value)) chosen.push(option);
		input.value = "";
		draw();
		changed();
	}

	const takeText = () => {
		const text = input.value.trim().replace(/,$/, "");
		if (text) add({ value: text, label: text });
	};
	const suggestions = attachList(input, {
		words, label: control.label, delay: 150, openOnFocus: true, pick: add, current: (found) => onlyOne(input.value.trim(), found),
		search: async (text, signal) => (await search(control, options, text, signal)).filter(({ value: other }) => !chosen.some((option) => option.value === other)),
	});
	input.addEventListener("keydown", (event) => {
		if (event.defaultPrevented) return;
		if ((event.key === "Enter" && input.value.trim()) || event.key === ",") {
			event.preventDefault();
			suggestions.close();
			takeText();
		} else if (event.key === "Backspace" && !input.value && chosen.length > 0) {
			remove(chosen.at(-1));
		}
	});
	input.addEventListener("blur", takeText);
	input.addEventListener("input", changed);
	set(value);
	return {
		element: el("div", { class: "stack-s" }, list, el("div", { class: "input" }, icon("person"), input), candidates), input, set, problem: () => "", group: false,
		get: () => [...chosen.map((option) => option.value), ...(input.value.trim() ? [input.value.trim()] : [])],
		offer: (found, replaced) => candidates.replaceChildren(...found.map((option) => el("button", {
			type: "button", class: "chip", dir: "auto", text: option.label,
			on: { click: () => { chosen = chosen.filter(({ value: other }) => other !== replaced); candidates.replaceChildren(); add(option); input.focus(); } },
		}))),
	};
}

// listField repeats a field for a control with several values. make(control, context) makes
// one field.
export function listField(control, context, make) {
	const { words, id, changed } = context;
	const items = [];
	const list = el("ul", { class: "stack-s" });
	const add = button({ label: words.add(), icon: "plus", kind: "s plain", id, "aria-label": words.addTo(control.label), run: () => { append(undefined).input.focus(); changed(); } });

	function append(value) {
		const own = `${id}-${items.length}-${Math.random().toString(36).slice(2, 7)}`;
		const field = make({ ...control, multiple: false, default: value ?? null }, { ...context, id: own, value: value ?? (control.type === "alarm" ? null : "") });
		if (!field.group) field.input.setAttribute("aria-label", control.label);
		const drop = button({ label: words.removeItem(control.label), icon: "close", only: true, kind: "plain s", run: () => {
			items.splice(items.indexOf(field), 1);
			node.remove();
			add.focus();
			changed();
		} });
		const node = el("li", { class: "line" }, el("div", { class: "grow" }, field.element), drop);
		field.node = node;
		items.push(field);
		list.append(node);
		return field;
	}

	function set(values) {
		items.length = 0;
		list.replaceChildren();
		for (const value of values ?? []) append(value);
	}
	set(context.value);
	return {
		element: el("div", { class: "stack-s list-field" }, list, el("div", {}, add)), get input() { return items[0]?.input ?? add; }, group: true, set,
		get: () => items.map((field) => field.get()).filter((value) => value !== "" && value !== null),
		problem: () => items.map((field) => field.problem()).find(Boolean) ?? "",
	};
}
