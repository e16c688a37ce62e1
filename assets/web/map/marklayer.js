// The marks and clusters of a map as buttons. Only the buttons in view are in the document, in the order
// of the list of marks.

import { Clusters, markKey } from "./clusters.js";
import { toPixel } from "./camera.js";
import { project } from "./projection.js";

const VIEW_MARGIN = 96; // distance beyond the border of the map up to which marks count as in view, in CSS pixels
const MAX_SHIFT = 32; // distance by which the buttons are moved together, without a new placement, in CSS pixels

// MarkLayer shows marks, grouped into items, see clusters.js. It has a button for each item in view, and
// for the item that has the focus.
export class MarkLayer {
	// element contains the buttons. It covers the map.
	element = document.createElement("div");

	#options;
	#marks = [];
	#clusters = new Clusters([]);
	#chosenId = null; // id of the chosen mark
	#label = document.createElement("span"); // label of the chosen mark
	#buttons = new Map(); // key of an item → {item, button}
	#highlightedId = null; // id of the highlighted mark
	#focusedId = null; // id of the first mark of the item that has the focus
	#hasChanged = true; // whether the clusters have changed since the latest placement
	#isSyncing = false; // whether buttons are being removed; then a focusout event does not reset #focusedId
	#placement = null; // {camera, size} of the latest placement of the buttons

	// Options:
	//
	//   cell          size of the cells of Clusters, in CSS pixels
	//   icon          function (name) that returns the URL of a symbol
	//   words         functions that return texts: cluster(count), number(count)
	//   onActivate    function (item), called when the button of an item is clicked
	//   onFocusLost   function (), called when the mark that had the focus does not exist any more
	constructor(options) {
		this.#options = options;
		this.element.className = "marks";
		this.#label.className = "mk-label";
		this.#label.dir = "auto";
		this.#label.setAttribute("aria-hidden", "true");
		this.element.addEventListener("focusin", ({ target }) => (this.#focusedId = this.itemOf(target)?.marks[0].id ?? null));
		this.element.addEventListener("focusout", () => {
			if (!this.#isSyncing) this.#focusedId = null;
		});
		this.element.addEventListener("click", ({ target }) => {
			const item = this.itemOf(target);
			if (item) options.onActivate(item);
		});
	}

	// clusters is the Clusters of all marks except the chosen one.
	get clusters() {
		return this.#clusters;
	}

	// set replaces the marks. They are shown at the next call of place.
	set(marks) {
		this.#marks = marks;
		this.#group();
	}

	// choose shows the mark with an id as the current one, with its label and never in a cluster, or none
	// for null.
	choose(id) {
		if (id === this.#chosenId) return;
		this.#chosenId = id;
		this.#group();
	}

	// highlight highlights the mark with an id or the cluster that contains it, or none for null.
	highlight(id) {
		this.#highlightedId = id;
		for (const entry of this.#buttons.values()) this.#updateHighlight(entry);
	}

	#updateHighlight({ item, button }) {
		const isHighlighted = this.#highlightedId !== null && item.marks.some((mark) => mark.id === this.#highlightedId);
		button.classList.toggle("is-pointed-out", isHighlighted);
	}

	// #group groups the marks.
	#group() {
		const others = this.#marks.filter((mark) => mark.id !== this.#chosenId);
		this.#clusters = new Clusters(others, this.#options.cell);
		this.#hasChanged = true;
	}

	// itemOf returns the item whose button contains an element, or undefined.
	itemOf(element) {
		const button = element.closest?.("button");
		return this.#buttons.get(button?.dataset.key)?.item;
	}

	// place places the buttons for a camera and a size. For small movements it only moves all of them
	// together, which is fast.
	place(camera, size) {
		const previous = this.#placement;
		const isReusable = previous?.camera.zoom === camera.zoom && previous.size === size && !this.#hasChanged;
		const previousCentre = isReusable ? toPixel(camera, size, previous.camera) : null;
		const dx = previousCentre ? previousCentre.x - size.width / 2 : 0;
		const dy = previousCentre ? previousCentre.y - size.height / 2 : 0;
		this.element.style.setProperty("transform", `translate3d(${snap(dx)}px,${snap(dy)}px,0)`);
		if (isReusable && Math.hypot(dx, dy) < MAX_SHIFT) return;
		this.element.style.setProperty("transform", "none");
		this.#placement = { camera, size };
		this.#hasChanged = false;
		this.#sync(this.#visible(camera, size));
	}

	// #visible returns the items in view and the item that has the focus, in the order of the list, as
	// {item, x, y} with the pixel at the position of the item.
	#visible(camera, size) {
		const items = this.#clusters.at(Math.floor(camera.zoom + 1e-6));
		const index = this.#marks.findIndex((mark) => mark.id === this.#chosenId);
		const list = index < 0 ? items : this.#insertChosen(items, index);
		return list.flatMap((item) => {
			const { x, y } = toPixel(camera, size, item);
			const inView = x > -VIEW_MARGIN && y > -VIEW_MARGIN && x < size.width + VIEW_MARGIN && y < size.height + VIEW_MARGIN;
			return inView || this.#hasFocus(item) ? [{ item, x, y }] : [];
		});
	}

	// #insertChosen returns the items and the item of the chosen mark, which has an index in the list of marks.
	#insertChosen(items, index) {
		const mark = this.#marks[index];
		const marksBefore = new Set(this.#marks.slice(0, index));
		const itemIndex = items.filter((item) => marksBefore.has(item.marks[0])).length;
		const { x, y } = project(mark);
		const item = { key: markKey(mark), marks: [mark], count: mark.count ?? 1, x, y, box: { left: x, top: y, right: x, bottom: y } };
		return [...items.slice(0, itemIndex), item, ...items.slice(itemIndex)];
	}

	// #hasFocus reports whether an item contains the mark that has the focus.
	#hasFocus = (item) => this.#focusedId !== null && item.marks.some((mark) => mark.id === this.#focusedId);

	// #sync adds, moves and removes buttons, so that there is one for each visible item. The focus moves to
	// the item that now contains the focused mark.
	#sync(visible) {
		this.#isSyncing = true;
		const successor = visible.find(({ item }) => this.#hasFocus(item))?.item.key;
		const keys = new Set(visible.map(({ item }) => item.key));
		for (const [key, { button }] of this.#buttons) {
			if (keys.has(key)) continue;
			button.remove();
			this.#buttons.delete(key);
		}
		let next = this.element.firstChild;
		let chosenItem = null;
		for (const { item, x, y } of visible) {
			const button = this.#button(item);
			if (button === next) next = next.nextSibling;
			else this.element.insertBefore(button, next);
			setTranslate(button, x, y);
			if (item.marks[0].id === this.#chosenId) chosenItem = { item, x, y };
		}
		this.#showLabel(chosenItem);
		this.#isSyncing = false;
		if (this.#focusedId !== null && !this.element.contains(document.activeElement)) this.#restoreFocus(successor);
	}

	// #restoreFocus focuses the button of the item with a key. Without such an item the focus is lost.
	#restoreFocus(key) {
		const button = this.#buttons.get(key)?.button;
		if (button) return button.focus({ preventScroll: true });
		this.#focusedId = null;
		this.#options.onFocusLost();
	}

	// #button returns the button of an item. It reuses the button of an item with the same key, and updates it.
	#button(item) {
		const previous = this.#buttons.get(item.key);
		const button = previous?.button ?? this.#newButton(item);
		this.#buttons.set(item.key, { item, button });
		this.#updateHighlight({ item, button });
		const [mark] = item.marks;
		const isCurrent = item.marks.length === 1 && mark.id === this.#chosenId;
		if (isCurrent) button.setAttribute("aria-current", "true");
		else button.removeAttribute("aria-current");
		if (previous?.item === item) return button;
		if (item.count > 1) {
			button.textContent = this.#options.words.number(item.count);
			button.setAttribute("aria-label", this.#options.words.cluster(item.count));
		} else {
			button.setAttribute("aria-label", mark.label || this.#options.words.cluster(item.count));
			button.replaceChildren(newIcon(this.#options.icon(mark.icon)));
		}
		return button;
	}

	#newButton(item) {
		const button = document.createElement("button");
		button.type = "button";
		button.dataset.key = item.key;
		button.className = item.count > 1 ? "mk-group" : "mk";
		return button;
	}

	// #showLabel shows the label of the chosen item, {item, x, y} or null. It is the last element.
	#showLabel(chosenItem) {
		if (!chosenItem || chosenItem.item.count > 1 || !chosenItem.item.marks[0].label) return this.#label.remove();
		this.#label.textContent = chosenItem.item.marks[0].label;
		setTranslate(this.#label, chosenItem.x, chosenItem.y);
		if (!this.#label.isConnected || this.#label.nextSibling) this.element.append(this.#label);
	}
}

// newIcon returns an svg element that shows the symbol at a URL.
export function newIcon(url) {
	const namespace = "http://www.w3.org/2000/svg";
	const icon = document.createElementNS(namespace, "svg");
	icon.setAttribute("class", "i");
	icon.setAttribute("aria-hidden", "true");
	const use = document.createElementNS(namespace, "use");
	use.setAttribute("href", url);
	icon.append(use);
	return icon;
}

// setTranslate moves an element to a pixel. It sets the property translate, because CSS applies the
// property transform in the coordinates of the property rotate, which pins have.
const setTranslate = (element, x, y) => element.style.setProperty("translate", `${snap(x)}px ${snap(y)}px`);

// snap rounds CSS pixels to whole pixels of the device.
const snap = (pixels) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
