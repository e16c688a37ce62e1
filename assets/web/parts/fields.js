// Simple fields of forms.
//
// A field is { element, input, get(), set(value), problem(), group }: element is what the
// form shows below the label; input is the element that the label names and that takes the
// focus; get returns the value, in the form of value.js; problem returns why what was typed
// cannot be read, or ""; group says that the label names several inputs.
//
// The functions here make a field of a control and a context: { words, id, value, changed(),
// options(control, text, signal), zone(), start(), onStart(listener), isNative }.

import { button, el, icon, uid } from "./el.js";
import { HUES, isColor } from "./person.js";
import { DURATION_MINUTES, parseDuration, parseNumber } from "./value.js";
import { attachList } from "./list.js";

// AUTOCOMPLETE are the tokens of HTML by the ids of controls.
const AUTOCOMPLETE = {
	email: "email", username: "username", login: "username", display_name: "name", current_password: "current-password", password: "new-password", new_password: "new-password", code: "one-time-code", url: "url",
};
const INPUTMODE = { email: "email", code: "numeric", url: "url" };

export function textField(control, { id, value, changed }) {
	const input = el("input", {
		class: "input", id, type: "text", value: String(value ?? ""), dir: "auto",
		autocomplete: AUTOCOMPLETE[control.id] ?? "off", inputmode: INPUTMODE[control.id], on: { input: changed },
	});
	if (control.id in INPUTMODE) input.setAttribute("autocapitalize", "none");
	return { element: input, input, get: () => input.value.trim(), set: (next) => (input.value = next ?? ""), problem: () => "" };
}

// ROWS bounds the height of a text of several lines.
const ROWS = { least: 3, most: 12 };

export function areaField(control, { id, value, changed }) {
	const input = el("textarea", { class: "input", id, rows: ROWS.least, value: String(value ?? ""), dir: "auto" });
	const grow = () => (input.rows = Math.min(ROWS.most, Math.max(ROWS.least, input.value.split("\n").length)));
	input.addEventListener("input", () => {
		grow();
		changed();
	});
	grow();
	return { element: input, input, get: () => input.value.replace(/\r\n?/g, "\n"), set: (next) => { input.value = next ?? ""; grow(); }, problem: () => "" };
}

export function numberField(control, { id, value, changed, words }) {
	const input = el("input", { class: "input num", id, type: "text", inputmode: "decimal", autocomplete: "off", value: value ?? "", on: { input: changed } });
	const read = () => parseNumber(input.value);
	return { element: input, input, get: read, set: (next) => (input.value = next ?? ""), problem: () => (Number.isNaN(read()) ? words.notANumber() : "") };
}

export function passwordField(control, { id, changed, words }) {
	const input = el("input", { class: "bare-input", id, type: "password", autocomplete: AUTOCOMPLETE[control.id] ?? "off", autocapitalize: "none", spellcheck: "false", on: { input: changed } });
	const show = button({ label: words.showPassword(), icon: "eye", only: true, kind: "plain s", "aria-pressed": "false", run: toggle });
	function toggle() {
		const visible = input.type === "password";
		input.type = visible ? "text" : "password";
		show.setAttribute("aria-pressed", String(visible));
		show.replaceChildren(icon(visible ? "eye-off" : "eye"));
	}
	return { element: el("div", { class: "input has-end" }, input, show), input, get: () => input.value, set: (next) => (input.value = next ?? ""), problem: () => "" };
}

// checkField has its label beside it.
export function checkField(control, { id, value, changed }) {
	const input = el("input", { type: "checkbox", id, checked: Boolean(value), on: { change: changed } });
	return { element: el("label", { class: "check" }, input, el("span", { text: control.label, dir: "auto" })), input, ownLabel: true, get: () => input.checked, set: (next) => (input.checked = Boolean(next)), problem: () => "" };
}

// A selector with few options whose labels are long shows them all, because a closed list would
// cut them on a phone.
const FEW_OPTIONS = 4;
const LONG_LABEL = 30; // characters

export function selectField(control, { id, value, changed, words }) {
	if (control.required && control.options?.length <= FEW_OPTIONS && control.options.some(({ label }) => label.length > LONG_LABEL)) return radioField(control, { id, value, changed });
	const input = el("select", { class: "input", id, on: { change: changed } });
	const options = [...(control.options ?? [])];
	if (value && !options.some((option) => option.value === value)) options.unshift({ value, label: value });
	if (!control.required || !value) options.unshift({ value: "", label: control.required ? words.choose() : words.noChoice() });
	input.append(...options.map((option) => el("option", { value: option.value, text: option.label })));
	input.value = value ?? "";
	return { element: input, input, get: () => input.value, set: (next) => (input.value = next ?? ""), problem: () => "" };
}

function radioField(control, { id, value, changed }) {
	const name = uid("choice");
	const inputs = control.options.map((option, i) => el("input", { type: "radio", name, id: i === 0 ? id : uid("radio"), value: option.value, checked: option.value === value, on: { change: changed } }));
	const element = el("div", { class: "choice" }, inputs.map((input, i) => el("label", { class: "check" }, input, el("span", { text: control.options[i].label, dir: "auto" }))));
	const chosen = () => inputs.find((input) => input.checked);
	return { element, get input() { return chosen() ?? inputs[0]; }, group: true, get: () => chosen()?.value ?? "", set: (next) => inputs.forEach((input) => (input.checked = input.value === next)), problem: () => "" };
}

// checksField is a selector of several values.
export function checksField(control, { id, value, changed }) {
	const boxes = (control.options ?? []).map((option, i) => el("input", { type: "checkbox", id: i === 0 ? id : uid("check"), value: option.value, on: { change: changed } }));
	const element = el("div", { class: "choice" }, boxes.map((box, i) => el("label", { class: "check" }, box, el("span", { text: control.options[i].label, dir: "auto" }))));
	const set = (next) => boxes.forEach((box) => (box.checked = (next ?? []).includes(box.value)));
	set(value);
	return { element, input: boxes[0] ?? element, group: true, get: () => boxes.filter((box) => box.checked).map((box) => box.value), set, problem: () => "" };
}

// COLORS are the twelve hues as they are on light paper, for colors without options.
const COLORS = ["#2f6fde", "#0e8a9a", "#2f8f5b", "#76901f", "#b6850c", "#cc6a24", "#c5402f", "#c4457f", "#8a52bf", "#5a5fcf", "#5d6c7d", "#8b6a4f"];

// colorField offers the options, or the twelve hues and any other color.
export function colorField(control, { id, value, changed, words }) {
	const name = uid("color");
	const isNamed = Boolean(control.options?.length);
	const choices = isNamed ? control.options : COLORS.map((color, i) => ({ value: color, label: words.hue(HUES[i]) }));
	const inputs = [];
	const add = (option, vars, className = "") => {
		const input = el("input", { type: "radio", name, id: inputs.length === 0 ? id : uid("color"), value: option.value, on: { change: changed } });
		inputs.push(input);
		return el("label", { class: `swatch ${className}`, title: option.label, vars }, input, el("span", { class: "sr", text: option.label }));
	};
	const element = el("div", { class: "swatches" });
	if (!control.required) element.append(add({ value: "", label: words.noChoice() }, {}, "no-color"));
	element.append(...choices.map((option) => add(option, isColor(option.value) ? { "--c": option.value } : {}, HUES.includes(option.value) ? `c-${option.value}` : "")));
	const own = isNamed ? null : el("input", { type: "color", class: "own-color", "aria-label": words.ownColor(), title: words.ownColor() });
	let other = null; // the radio button of a color that is not offered
	own?.addEventListener("input", () => {
		set(own.value);
		changed();
	});
	if (own) element.append(own);

	function set(next) {
		const wanted = (next ?? "").toLowerCase();
		if (wanted && !inputs.some((input) => input.value.toLowerCase() === wanted)) {
			if (other) inputs.splice(inputs.indexOf(other.querySelector("input")), 1);
			other?.remove();
			other = add({ value: wanted, label: wanted }, isColor(wanted) ? { "--c": wanted } : {});
			element.insertBefore(other, own);
		}
		for (const input of inputs) input.checked = input.value.toLowerCase() === wanted;
		if (own && isColor(wanted)) own.value = wanted;
	}
	set(value);
	return { element, get input() { return inputs.find((input) => input.checked) ?? inputs[0]; }, group: true, get: () => inputs.find((input) => input.checked)?.value ?? "", set, problem: () => "" };
}

export function fileField(control, { id, changed, words }) {
	const input = el("input", { class: "input file", id, type: "file", accept: control.accept?.join(","), on: { change: changed } });
	return { element: input, input, get: () => input.files[0] ?? null, set: () => (input.value = ""), problem: () => "" };
}

// durationField is a text with a list of frequent durations. Its value is in minutes.
export function durationField(control, { id, value, changed, words }) {
	const input = el("input", { class: "input num", id, type: "text", value: value === null ? "" : words.minutes(value), on: { change: changed, input: changed } });
	let minutes = value; // of the text, which may be a form that parseDuration does not read
	let text = input.value;
	const read = () => (input.value === text ? minutes : parseDuration(input.value));
	const set = (next) => {
		minutes = next;
		text = input.value = next === null || next === undefined ? "" : words.minutes(next);
	};
	attachList(input, {
		words, label: control.label, openOnFocus: true,
		search: (typed) => DURATION_MINUTES.map((size) => ({ value: size, label: words.minutes(size) })).filter((option) => typed === text || option.label.startsWith(typed)),
		pick: (option) => { set(option.value); changed(); },
	});
	return { element: input, input, get: read, set, problem: () => (Number.isNaN(read()) ? words.notADuration() : "") };
}
