// Marks and clusters as buttons, in the order of the list. Only those in view are in the
// document.

import { Clusters, markKey } from "./clusters.js";
import { toPixel } from "./camera.js";
import { project } from "./projection.js";

const MARGIN = 96; // pixels beyond the map within which marks are in the document
const SHIFT = 32; // pixels of a movement without a new placement

export class MarkLayer {
	element = document.createElement("div");

	#options;
	#marks = [];
	#clusters = new Clusters([]);
	#chosen = null; // id
	#label = document.createElement("span");
	#shown = new Map(); // by key: {item, button}
	#pointedOut = null; // id
	#focused = null; // id of the first mark of the item that has the focus
	#changed = true;
	#syncing = false; // while elements are removed, which takes the focus away
	#placed = null; // camera and size of the latest placement

	// options: cell (size of the cells of clusters in pixels), icon(name) (URL of a symbol),
	// words.cluster(count), words.number(count), onActivate(item), and onFocusLost(), called
	// when the mark that had the focus is gone.
	constructor(options) {
		this.#options = options;
		this.element.className = "marks";
		this.#label.className = "mk-label";
		this.#label.dir = "auto";
		this.#label.setAttribute("aria-hidden", "true");
		this.element.addEventListener("focusin", ({ target }) => (this.#focused = this.itemOf(target)?.marks[0].id ?? null));
		this.element.addEventListener("focusout", () => {
			if (!this.#syncing) this.#focused = null;
		});
		this.element.addEventListener("click", ({ target }) => {
			const item = this.itemOf(target);
			if (item) options.onActivate(item);
		});
	}

	get clusters() {
		return this.#clusters;
	}

	set(marks) {
		this.#marks = marks;
		this.#group();
	}

	// Chooses a mark by its id, or none. The chosen mark is never part of a cluster.
	choose(id) {
		if (id === this.#chosen) return;
		this.#chosen = id;
		this.#group();
	}

	// Points out the mark with an id, or the cluster that contains it; null for none.
	pointOut(id) {
		this.#pointedOut = id;
		for (const shown of this.#shown.values()) this.#markPointedOut(shown);
	}

	#markPointedOut({ item, button }) {
		button.classList.toggle("is-pointed-out", this.#pointedOut !== null && item.marks.some((mark) => mark.id === this.#pointedOut));
	}

	#group() {
		const others = this.#marks.filter((mark) => mark.id !== this.#chosen);
		this.#clusters = new Clusters(others, this.#options.cell);
		this.#changed = true;
	}

	// Returns the item of an element in this layer, or undefined.
	itemOf(element) {
		const button = element.closest?.("button");
		return this.#shown.get(button?.dataset.key)?.item;
	}

	place(camera, size) {
		const before = this.#placed;
		const sameZoom = before?.camera.zoom === camera.zoom && before.size === size && !this.#changed;
		const shift = sameZoom ? toPixel(camera, size, before.camera) : null;
		const dx = shift ? shift.x - size.width / 2 : 0;
		const dy = shift ? shift.y - size.height / 2 : 0;
		this.element.style.setProperty("transform", `translate3d(${snap(dx)}px,${snap(dy)}px,0)`);
		if (sameZoom && Math.hypot(dx, dy) < SHIFT) return;
		this.element.style.setProperty("transform", "none");
		this.#placed = { camera, size };
		this.#changed = false;
		this.#sync(this.#visible(camera, size));
	}

	// visible returns the items in view and the one with the focus, with their pixels, in
	// the order of the list.
	#visible(camera, size) {
		const items = this.#clusters.at(Math.floor(camera.zoom + 1e-6));
		const chosen = this.#marks.findIndex((mark) => mark.id === this.#chosen);
		const list = chosen < 0 ? items : this.#insertChosen(items, chosen);
		return list.flatMap((item) => {
			const { x, y } = toPixel(camera, size, item);
			const inView = x > -MARGIN && y > -MARGIN && x < size.width + MARGIN && y < size.height + MARGIN;
			return inView || this.#hasFocus(item) ? [{ item, x, y }] : [];
		});
	}

	#insertChosen(items, index) {
		const mark = this.#marks[index];
		const before = new Set(this.#marks.slice(0, index));
		const at = items.filter((item) => before.has(item.marks[0])).length;
		const { x, y } = project(mark);
		const item = { key: markKey(mark), marks: [mark], count: mark.count ?? 1, x, y, box: { left: x, top: y, right: x, bottom: y } };
		return [...items.slice(0, at), item, ...items.slice(at)];
	}

	#hasFocus = (item) => this.#focused !== null && item.marks.some((mark) => mark.id === this.#focused);

	// sync makes the buttons those of the visible items. The focus moves to the item that
	// contains the mark that had it.
	#sync(visible) {
		this.#syncing = true;
		const successor = visible.find(({ item }) => this.#hasFocus(item))?.item.key;
		const keys = new Set(visible.map(({ item }) => item.key));
		for (const [key, { button }] of this.#shown) {
			if (keys.has(key)) continue;
			button.remove();
			this.#shown.delete(key);
		}
		let next = this.element.firstChild;
		let chosen = null;
		for (const { item, x, y } of visible) {
			const button = this.#button(item);
			if (button === next) next = next.nextSibling;
			else this.element.insertBefore(button, next);
			place(button, x, y);
			if (item.marks[0].id === this.#chosen) chosen = { item, x, y };
		}
		this.#showLabel(chosen);
		this.#syncing = false;
		if (this.#focused !== null && !this.element.contains(document.activeElement)) this.#restoreFocus(successor);
	}

	#restoreFocus(key) {
		const button = this.#shown.get(key)?.button;
		if (button) return button.focus({ preventScroll: true });
		this.#focused = null;
		this.#options.onFocusLost();
	}

	// button returns the button of an item, updated.
	#button(item) {
		const old = this.#shown.get(item.key);
		const button = old?.button ?? this.#newButton(item);
		this.#shown.set(item.key, { item, button });
		this.#markPointedOut({ item, button });
		const [mark] = item.marks;
		const current = item.marks.length === 1 && mark.id === this.#chosen;
		if (current) button.setAttribute("aria-current", "true");
		else button.removeAttribute("aria-current");
		if (old?.item === item) return button;
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

	#showLabel(chosen) {
		if (!chosen || chosen.item.count > 1 || !chosen.item.marks[0].label) return this.#label.remove();
		this.#label.textContent = chosen.item.marks[0].label;
		place(this.#label, chosen.x, chosen.y);
		if (!this.#label.isConnected || this.#label.nextSibling) this.element.append(this.#label);
	}
}

// Returns an svg element that shows the symbol at a URL.
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

// place uses the property translate, because the transform of a pin is inside its rotation.
const place = (element, x, y) => element.style.setProperty("translate", `${snap(x)}px ${snap(y)}px`);

const snap = (pixels) => Math.round(pixels * devicePixelRatio) / devicePixelRatio;
