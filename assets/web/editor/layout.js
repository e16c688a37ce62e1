// Lays out the fields of the editor: the title, the time zones, and the section of further fields.

import { button, el } from "../parts/el.js";

// layOut shows the title of a form without a visible label, the time zones after the line of the
// checkbox for all-day entries, and the fields with the ids in more in a section that can be closed.
export function layOut(form, more, words) {
	const [list] = form.body;
	const fieldOf = (id) => list.querySelector(`[data-field="${id}"]`);
	const title = fieldOf("title");
	const [input, label] = [title?.querySelector("input"), title?.querySelector("label")];
	input?.classList.add("title-input");
	input?.setAttribute("placeholder", label.textContent);
	label?.classList.add("sr");
	const zone = fieldOf("timezone");
	if (zone) foldZone({ zone, endZone: fieldOf("end_timezone"), allDay: fieldOf("all_day") }, words);
	if (more.length > 0) foldMore(form, more.map(fieldOf), list, words);
}

// foldZone replaces the fields of the time zones by a button that shows them, unless one is another
// zone than that of the member. zone, endZone and allDay are the elements of the fields; the latter two
// may be null. An empty time zone of the end stands for that of the start.
function foldZone({ zone, endZone, allDay }, words) {
	const input = zone.querySelector("input");
	const endInput = endZone?.querySelector("input");
	const fields = endZone ? zone.parentElement : zone;
	fields.classList.add("zones");
	endInput?.setAttribute("placeholder", words.editor.zoneOfStart());
	const name = input?.value || words.zone;
	const showZone = () => {
		fields.hidden = false;
		open.hidden = true;
		input.focus();
	};
	const open = button({ label: name.replaceAll("_", " "), icon: "globe", kind: "plain s", run: showZone });
	const isOther = !name.replaceAll(" ", "_").startsWith(words.zone) || Boolean(endInput?.value);
	fields.hidden = !isOther;
	open.hidden = isOther;
	const line = el("div", { class: "line wrap between zone-line" });
	(allDay ?? fields).before(line);
	line.append(...[allDay, open].filter(Boolean));
	const box = allDay?.querySelector("input");
	const hadNoZone = box?.checked && !input?.value; // times that the member adds are in the zone of the member
	const update = () => {
		line.classList.toggle("is-all-day", box.checked);
		if (hadNoZone) input.value = box.checked ? "" : words.zone;
	};
	box?.addEventListener("change", update);
	if (box) update();
}

// foldMore moves fields into a section that is closed until one of them has an error.
function foldMore(form, fields, list, words) {
	const content = el("div", { class: "fields" }, fields.filter(Boolean));
	const section = el("details", { class: "more-fields" }, el("summary", { text: words.editor.moreFields() }), content);
	list.append(section);
	const openOnError = () => {
		const wrong = section.querySelector(".is-wrong");
		if (!wrong || section.open) return;
		section.open = true;
		wrong.querySelector("input, select, textarea")?.focus();
	};
	new MutationObserver(openOnError).observe(section, { subtree: true, attributes: true, attributeFilter: ["class"] });
}
