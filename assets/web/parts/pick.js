// Fields for time zones, members and places, with suggestions, and for lists of values. See
// fields.js for the methods of a field.

import { button, el, icon, isComposing } from "./el.js";
import { fold } from "./fold.js";
import { attachList } from "./list.js";

let zoneNames; // result of allZones

// allZones returns the names of the time zones that the browser supports.
function allZones() {
	zoneNames ??= Intl.supportedValuesOf?.("timeZone") ?? [];
	return zoneNames;
}

// findZones returns the time zones of a list whose names contain all words of a text, regardless of
// case. Names with a part that starts with the first word precede other names.
export function findZones(text, list = allZones()) {
	const searchWords = text.toLowerCase().replaceAll("_", " ").split(/[\s/,]+/).filter(Boolean);
	const names = list.map((zone) => [zone, zone.toLowerCase().replaceAll("_", " ")]);
	const matches = names.filter(([, name]) => searchWords.every((word) => name.includes(word)));
	const rank = ([, name]) => (name.split("/").some((part) => part.startsWith(searchWords[0] ?? "")) ? 0 : 1);
	return matches.sort((a, b) => rank(a) - rank(b)).map(([zone]) => zone);
}

// isZone reports whether the browser accepts a text as the name of a time zone.
function isZone(text) {
	try {
		return Boolean(text && new Intl.DateTimeFormat("en", { timeZone: text }));
	} catch {
		return false;
	}
}

// FEW_ZONES is the number of results of findZones below which zoneField also requests options of the
// server. These have names such as Asia/Kolkata, for which some browsers list only an older name.
const FEW_ZONES = 8;

// zoneField returns a field for the name of a time zone.
export function zoneField(control, { id, value, words, changed, options }) {
	const input = el("input", { class: "bare-input", id, type: "text", value: value ?? "" });
	attachList(input, {
		words, label: control.label, openOnFocus: true,
		search: async (text, signal) => (await searchZones(text, signal)).slice(0, 50).map((zone) => (
			{ value: zone, label: zone.replaceAll("_", " "), detail: words.zoneName(zone).split(", ").at(-1) })),
		current: (found) => found.findIndex((option) => option.value === value),
		pick: (option) => { input.value = option.value; changed(); },
	});
	input.addEventListener("input", changed);
	input.addEventListener("focus", () => input.select());
	// searchZones returns a promise of the zones for a text. For the initial value these are all
	// zones, beginning with it, the zone of the member and the zone of the device.
	async function searchZones(text, signal) {
		if (text === value) {
			return [...new Set([value, words.zone, Intl.DateTimeFormat().resolvedOptions().timeZone, ...allZones()].filter(Boolean))];
		}
		const zones = findZones(text);
		if (zones.length >= FEW_ZONES || !control.options_url) return zones;
		const more = await options(control, text, signal).catch(() => []);
		return [...new Set([...zones, ...more.map((option) => option.value).filter(isZone)])];
	}
	const get = () => {
		const text = input.value.trim();
		if (!text || text === value) return text;
		const named = text.replaceAll(" ", "_");
		return allZones().find((zone) => zone.toLowerCase() === named.toLowerCase()) ?? named;
	};
	return {
		element: el("div", { class: "input" }, icon("globe"), input), input, get, set: (next) => (input.value = next ?? ""),
		problem: () => (get() && get() !== value && !isZone(get()) ? words.notAZone() : ""),
	};
}

// placeField returns a field for the text of a place, with suggestions of the server.
export function placeField(control, { id, value, words, changed, options }) {
	const input = el("input", { class: "bare-input", id, type: "text", value: value ?? "", dir: "auto", on: { input: changed } });
	if (control.options_url) {
		attachList(input, {
			words, label: control.label, delay: 400, minLength: 3,
			search: (text, signal) => options(control, text, signal),
			pick: (option) => { input.value = option.value; changed(); },
		});
	}
	return {
		element: el("div", { class: "input" }, icon("pin"), input), input, get: () => input.value.trim(),
		set: (next) => (input.value = next ?? ""), problem: () => "",
	};
}

// searchOptions returns the options of a control whose labels contain a text, then the options of its
// options_url.
async function searchOptions(control, options, text, signal) {
	const searchText = fold(text);
	const localOptions = (control.options ?? []).filter(({ label }) => fold(label).includes(searchText));
	if (!control.options_url) return localOptions;
	const more = await options(control, text, signal);
	return [...localOptions, ...more.filter(({ value }) => !localOptions.some((option) => option.value === value))];
}

// activeIndex returns the index of the suggestion that Enter picks for a text: 0 if it is the only
// suggestion, or else -1, because the member may mean another one of several suggestions.
function activeIndex(text, suggestions) {
	return text && suggestions.length === 1 ? 0 : -1;
}

// memberField returns a field for a member. Its value is the value of an option, or the typed text, which
// may be a user name, an e-mail address or a display name. offer shows options for a display name
// that several members have.
export function memberField(control, { id, value, words, changed, options }) {
	const labelOf = (text) => control.options?.find((option) => option.value === text)?.label ?? text;
	let chosenOption = { value: value ?? "", label: labelOf(value ?? "") }; // option of the latest call of set
	const input = el("input", { class: "bare-input", id, type: "text", value: chosenOption.label, dir: "auto" });
	const candidates = el("div", { class: "chips" });
	// next is an option or a value.
	const set = (next) => {
		chosenOption = typeof next === "object" && next ? next : { value: next ?? "", label: labelOf(next ?? "") };
		input.value = chosenOption.label;
		candidates.replaceChildren();
	};
	attachList(input, {
		words, label: control.label, delay: 150, openOnFocus: true,
		search: (text, signal) => searchOptions(control, options, text === chosenOption.label ? "" : text, signal),
		current: (found) => (input.value.trim() === chosenOption.label ? -1 : activeIndex(input.value.trim(), found)),
		pick: (option) => { set(option); changed(); },
	});
	input.addEventListener("input", changed);
	return {
		element: el("div", { class: "stack-s" }, el("div", { class: "input" }, icon("person"), input), candidates),
		input, set, problem: () => "",
		get: () => (input.value.trim() === chosenOption.label ? chosenOption.value : input.value.trim()),
		offer: (list) => candidates.replaceChildren(...list.map((option) => el("button", {
			type: "button", class: "chip", dir: "auto", text: option.label,
			on: { click: () => { set(option); input.focus(); changed(); } },
		}))),
	};
}

// membersField returns a field for several members, each of which is a chip. Enter adds the active
// suggestion. Without it, Enter adds the typed text, as do a comma and the loss of the focus.
// Backspace in an empty input removes the last member.
export function membersField(control, { id, value, words, changed, options }) {
	const labelOf = (text) => control.options?.find((option) => option.value === text)?.label ?? text;
	let chosenOptions = []; // options of the members
	const list = el("ul", { class: "chips", "aria-label": control.label });
	const input = el("input", { class: "bare-input", id, type: "text", dir: "auto" });
	const candidates = el("div", { class: "chips" });

	// next is a list of options and values.
	function set(next) {
		chosenOptions = (next ?? []).map((item) => (typeof item === "object" ? item : { value: item, label: labelOf(item) }));
		draw();
	}

	function draw() {
		list.hidden = chosenOptions.length === 0;
		list.replaceChildren(...chosenOptions.map((option) => el("li", {}, el("button", {
			type: "button", class: "chip", "aria-label": words.removeItem(option.label), on: { click: () => remove(option) },
		}, el("span", { dir: "auto", text: option.label }), icon("close", "i-s")))));
	}

	function remove(option) {
		chosenOptions = chosenOptions.filter((other) => other !== option);
		draw();
		input.focus();
		changed();
	}

	function add(option) {
		if (option.value && !chosenOptions.some(({ value: other }) => other === option.value)) chosenOptions.push(option);
		input.value = "";
		draw();
		changed();
	}

	const addText = () => {
		const text = input.value.trim().replace(/,$/, "");
		if (text) add({ value: text, label: text });
	};
	const suggestions = attachList(input, {
		words, label: control.label, delay: 150, openOnFocus: true, pick: add, current: (found) => activeIndex(input.value.trim(), found),
		search: async (text, signal) => (await searchOptions(control, options, text, signal))
			.filter(({ value: other }) => !chosenOptions.some((option) => option.value === other)),
	});
	input.addEventListener("keydown", (event) => {
		if (event.defaultPrevented || isComposing(event)) return;
		if ((event.key === "Enter" && input.value.trim()) || event.key === ",") {
			event.preventDefault();
			suggestions.close();
			addText();
		} else if (event.key === "Backspace" && !input.value && chosenOptions.length > 0) {
			remove(chosenOptions.at(-1));
		}
	});
	input.addEventListener("blur", addText);
	input.addEventListener("input", changed);
	set(value);
	return {
		element: el("div", { class: "stack-s" }, list, el("div", { class: "input" }, icon("person"), input), candidates),
		input, set, problem: () => "", group: false,
		get: () => [...chosenOptions.map((option) => option.value), ...(input.value.trim() ? [input.value.trim()] : [])],
		offer: (found, replaced) => candidates.replaceChildren(...found.map((option) => el("button", {
			type: "button", class: "chip", dir: "auto", text: option.label,
			on: {
				click: () => {
					chosenOptions = chosenOptions.filter(({ value: other }) => other !== replaced);
					candidates.replaceChildren();
					add(option);
					input.focus();
				},
			},
		}))),
	};
}

// listField returns a field for a list of values, with a field for each value, which
// make(control, context) returns, and buttons that add and remove values.
export function listField(control, context, make) {
	const { words, id, changed } = context;
	const items = []; // fields of the values
	const list = el("ul", { class: "stack-s" });
	const addButton = button({
		label: words.add(), icon: "plus", kind: "s plain", id, "aria-label": words.addTo(control.label),
		run: () => { append(undefined).input.focus(); changed(); },
	});

	// append adds a field with a value, or an empty field, and returns it.
	function append(value) {
		const fieldId = `${id}-${items.length}-${Math.random().toString(36).slice(2, 7)}`;
		const field = make(
			{ ...control, multiple: false, default: value ?? null },
			{ ...context, id: fieldId, value: value ?? (control.type === "alarm" ? null : "") });
		if (!field.group) field.input.setAttribute("aria-label", control.label);
		const removeButton = button({ label: words.removeItem(control.label), icon: "close", iconOnly: true, kind: "plain s", run: () => {
			items.splice(items.indexOf(field), 1);
			node.remove();
			addButton.focus();
			changed();
		} });
		const node = el("li", { class: "line" }, el("div", { class: "grow" }, field.element), !field.isReadOnly && removeButton);
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
		element: el("div", { class: "stack-s list-field" }, list, el("div", {}, addButton)),
		get input() { return items[0]?.input ?? addButton; }, group: true, set,
		get: () => items.map((field) => field.get()).filter((value) => value !== "" && value !== null),
		problem: () => items.map((field) => field.problem()).find(Boolean) ?? "",
	};
}
