// Scrolling of a thread: its column on a large screen, the page on a phone.

const NEAR = 80; // pixels from the end that count as the end

// Scroller scrolls a column. head and foot are the nodes that cover its start and end.
export class Scroller {
	constructor(column, { head, foot }) {
		Object.assign(this, { column, head, foot });
	}

	// node is the element that scrolls.
	get node() {
		return getComputedStyle(this.column).overflowY === "visible" ? document.scrollingElement : this.column;
	}

	get top() {
		return this.node === this.column ? this.column.getBoundingClientRect().top + this.head.offsetHeight : this.head.offsetHeight;
	}

	get bottom() {
		return Math.min(this.foot().getBoundingClientRect().top, innerHeight);
	}

	get isAtEnd() {
		const { node } = this;
		return node.scrollHeight - node.scrollTop - node.clientHeight < NEAR;
	}

	get fromStart() {
		return this.node.scrollTop;
	}

	toEnd({ smooth = false } = {}) {
		const { node } = this;
		const behavior = smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches ? "smooth" : "instant";
		node.scrollTo({ top: node.scrollHeight, behavior });
	}

	// showAtTop scrolls a node below the head, if it is above that.
	showAtTop(target, gap = 16) {
		const above = this.top + gap - target.getBoundingClientRect().top;
		if (above > 0) this.node.scrollTop -= above;
	}

	// showInMiddle scrolls a node to the middle.
	showInMiddle(target) {
		target.scrollIntoView({ block: "center" });
	}

	// keep runs a function that adds content above a node, which stays where it is. find returns
	// the node, before and afterwards.
	keep(find, run) {
		const before = find()?.getBoundingClientRect().bottom;
		run();
		const after = find()?.getBoundingClientRect().bottom;
		if (after !== undefined && before !== undefined) this.node.scrollTop += after - before;
	}

	// last returns the last one of the nodes that can be seen: its end is visible, or it is
	// higher than the column.
	last(nodes) {
		const { top, bottom } = this;
		for (let i = nodes.length - 1; i >= 0; i--) {
			const box = nodes[i].getBoundingClientRect();
			if (box.bottom <= bottom + 4 || (box.top < top && box.bottom > bottom)) return nodes[i];
		}
		return null;
	}
}
