// Fields for texts, numbers, options, colors, files and durations, and the interface of all fields.
//
// A field of a form is an object:
//
//   element    the element of the field; the form puts it below the label
//   input      the element that has the label and that is focused
//   get()      returns the value, see value.js
//   set(value)  changes the value, without a call of changed
//   problem()  returns an error message if the typed text is not a value of the type, or ""
//   group      whether the label belongs to several inputs
//   hasOwnLabel  whether element contains the label
//   offer(options, text)  shows options by which the member can replace an ambiguous text
//   follows()  whether only a change of another field has changed the value
//   isReadOnly  whether the member cannot change or remove the value in a list
//   showTime(visible, proposal)  shows or hides the time of day, see when.js
//
// group and the members after it are optional. Functions with the parameters control and context
// return a field. A control is described in value.js. A context has:
//
//   words      the texts of the member's language
//   id         the id of the input
//   value      the initial value
//   changed()  must be called when the member has changed the value
//   options(control, text, signal)  returns a promise of the options of options_url for a text
//   zone()     returns the time zone of the times of the field
//   start()    returns the day on which the entry of the form starts or is due, or ""
//   onStart(listener)  calls listener when the result of start may have changed
//   isNative   whether the member picks days and times with the controls of the browser

import { button, el, icon, uid } from "./el.js";
import { colorProps, isColor } from "./person.js";
import { DURATION_MINUTES, hasNamedColors, parseDuration, parseNumber } from "./value.js";
import { attachList } from "./list.js";

// AUTOCOMPLETE maps ids of controls to values of the attribute autocomplete.
const AUTOCOMPLETE = {
	email: "email", username: "username", login: "username", display_name: "name", current_password: "current-password",
	password: "new-password", new_password: "new-password", code: "one-time-code", url: "url",
};

// INPUTMODE maps ids of controls to values of the attribute inputmode.
const INPUTMODE = { email: "email", code: "numeric", url: "url" };

// textField returns a field for a text without line breaks.
export function textField(control, { id, value, changed }) {
	const input = el("input", {
		class: "input", id, type: "text", value: String(value ?? ""), dir: "auto",
		autocomplete: AUTOCOMPLETE[control.id] ?? "off", inputmode: INPUTMODE[control.id], on: { input: changed },
	});
	if (control.id in INPUTMODE) input.setAttribute("autocapitalize", "none");
	return { element: input, input, get: () => input.value.trim(), set: (next) => (input.value = next ?? ""), problem: () => "" };
}

const ROW_LIMITS = { min: 3, max: 12 }; // height of areaField, in lines

// areaField returns a field for a text of several lines. Its height depends on the number of lines.
export function areaField(control, { id, value, changed }) {
	const input = el("textarea", { class: "input", id, rows: ROW_LIMITS.min, value: String(value ?? ""), dir: "auto" });
	const grow = () => (input.rows = Math.min(ROW_LIMITS.max, Math.max(ROW_LIMITS.min, input.value.split("\n").length)));
	input.addEventListener("input", () => {
		grow();
		changed();
	});
	grow();
	return {
		element: input, input, get: () => input.value.replace(/\r\n?/g, "\n"),
		set: (next) => { input.value = next ?? ""; grow(); }, problem: () => "",
	};
}

// numberField returns a field for a number.
export function numberField(control, { id, value, changed, words }) {
	const input = el("input", {
		class: "input num", id, type: "text", inputmode: "decimal", autocomplete: "off", value: value ?? "", on: { input: changed },
	});
	const read = () => parseNumber(input.value);
	return {
		element: input, input, get: read, set: (next) => (input.value = next ?? ""),
		problem: () => (Number.isNaN(read()) ? words.notANumber() : ""),
	};
}

// passwordField returns a field for a password, without an initial value, and a button that shows
// the password.
export function passwordField(control, { id, changed, words }) {
	const input = el("input", {
		class: "bare-input", id, type: "password", autocomplete: AUTOCOMPLETE[control.id] ?? "off", autocapitalize: "none",
		spellcheck: "false", on: { input: changed },
	});
	const showButton = button({
		label: words.showPassword(), icon: "eye", iconOnly: true, kind: "plain s", "aria-pressed": "false", run: toggle,
	});
	function toggle() {
		const visible = input.type === "password";
		input.type = visible ? "text" : "password";
		showButton.setAttribute("aria-pressed", String(visible));
		showButton.replaceChildren(icon(visible ? "eye-off" : "eye"));
	}
	return {
		element: el("div", { class: "input has-end" }, input, showButton), input, get: () => input.value,
		set: (next) => (input.value = next ?? ""), problem: () => "",
	};
}

// checkField returns a checkbox with the label beside it.
export function checkField(control, { id, value, changed }) {
	const input = el("input", { type: "checkbox", id, checked: Boolean(value), on: { change: changed } });
	return {
		element: el("label", { class: "check" }, input, el("span", { text: control.label, dir: "auto" })), input, hasOwnLabel: true,
		get: () => input.checked, set: (next) => (input.checked = Boolean(next)), problem: () => "",
	};
}

// MAX_RADIOS is the maximum number of options that selectField shows as radio buttons, which it does
// if a label has more than LONG_LABEL characters: on narrow screens, a select element truncates it.
const MAX_RADIOS = 4;
const LONG_LABEL = 30;

// selectField returns a field for one of the options, a select element or radio buttons.
export function selectField(control, { id, value, changed, words }) {
	if (control.required && control.options?.length <= MAX_RADIOS && control.options.some(({ label }) => label.length > LONG_LABEL)) {
		return radioField(control, { id, value, changed });
	}
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
	const inputs = control.options.map((option, i) => el("input", {
		type: "radio", name, id: i === 0 ? id : uid("radio"), value: option.value, checked: option.value === value, on: { change: changed },
	}));
	const element = el("div", { class: "choice" }, inputs.map((input, i) => (
		el("label", { class: "check" }, input, el("span", { text: control.options[i].label, dir: "auto" })))));
	const checkedInput = () => inputs.find((input) => input.checked);
	return {
		element, get input() { return checkedInput() ?? inputs[0]; }, group: true, get: () => checkedInput()?.value ?? "",
		set: (next) => inputs.forEach((input) => (input.checked = input.value === next)), problem: () => "",
	};
}

// checksField returns a field for several of the options, with a checkbox for each.
export function checksField(control, { id, value, changed }) {
	const boxes = (control.options ?? []).map((option, i) => el("input", {
		type: "checkbox", id: i === 0 ? id : uid("check"), value: option.value, on: { change: changed },
	}));
	const element = el("div", { class: "choice" }, boxes.map((box, i) => (
		el("label", { class: "check" }, box, el("span", { text: control.options[i].label, dir: "auto" })))));
	const set = (next) => boxes.forEach((box) => (box.checked = (next ?? []).includes(box.value)));
	set(value);
	return {
		element, input: boxes[0] ?? element, group: true, get: () => boxes.filter((box) => box.checked).map((box) => box.value),
		set, problem: () => "",
	};
}

// colorField returns a field for a color: one of the options of the control or, if they are no names,
// any other color.
export function colorField(control, { id, value, changed, words }) {
	const name = uid("color");
	const choices = control.options ?? [];
	const isNamed = hasNamedColors(control);
	const inputs = [];
	const addChoice = (option, { class: className, vars }) => {
		const input = el("input", {
			type: "radio", name, id: inputs.length === 0 ? id : uid("color"), value: option.value, on: { change: changed },
		});
		inputs.push(input);
		return el("label", { class: `swatch ${className}`, title: option.label, vars }, input, el("span", { class: "sr", text: option.label }));
	};
	const element = el("div", { class: "swatches" });
	if (!control.required) element.append(addChoice({ value: "", label: words.noChoice() }, { class: "no-color" }));
	element.append(...choices.map((option) => addChoice(option, colorProps(option.value))));
	const picker = isNamed ? null : el("input", {
		type: "color", class: "own-color", "aria-label": words.ownColor(), title: words.ownColor(),
	});
	let extraChoice = null; // element of a color that is not in choices
	picker?.addEventListener("input", () => {
		set(picker.value);
		changed();
	});
	if (picker) element.append(picker);

	function set(next) {
		const color = (next ?? "").toLowerCase();
		if (color && !inputs.some((input) => input.value.toLowerCase() === color)) {
			if (extraChoice) inputs.splice(inputs.indexOf(extraChoice.querySelector("input")), 1);
			extraChoice?.remove();
			extraChoice = addChoice({ value: color, label: color }, colorProps(color));
			element.insertBefore(extraChoice, picker);
		}
		for (const input of inputs) input.checked = input.value.toLowerCase() === color;
		if (picker && isColor(color)) picker.value = color;
	}
	set(value);
	return {
		element, get input() { return inputs.find((input) => input.checked) ?? inputs[0]; }, group: true,
		get: () => inputs.find((input) => input.checked)?.value ?? "", set, problem: () => "",
	};
}

// fileField returns a field for a file. Its value is a File, or null.
export function fileField(control, { id, changed, words }) {
	const input = el("input", { class: "input file", id, type: "file", accept: control.accept?.join(","), on: { change: changed } });
	return { element: input, input, get: () => input.files[0] ?? null, set: () => (input.value = ""), problem: () => "" };
}

// durationField returns a field for a duration, with suggestions. Its value is in minutes, or null.
export function durationField(control, { id, value, changed, words }) {
	const input = el("input", {
		class: "input num", id, type: "text", value: value === null ? "" : words.minutes(value), on: { change: changed, input: changed },
	});
	let minutes = value; // value of `text`
	let text = input.value; // text of the latest call of set, which parseDuration need not accept
	const read = () => (input.value === text ? minutes : parseDuration(input.value));
	const set = (next) => {
		minutes = next;
		text = input.value = next === null || next === undefined ? "" : words.minutes(next);
	};
	attachList(input, {
		words, label: control.label, openOnFocus: true,
		search: (typed) => DURATION_MINUTES.map((size) => ({ value: size, label: words.minutes(size) }))
			.filter((option) => typed === text || option.label.startsWith(typed)),
		pick: (option) => { set(option.value); changed(); },
	});
	return { element: input, input, get: read, set, problem: () => (Number.isNaN(read()) ? words.notADuration() : "") };
}
