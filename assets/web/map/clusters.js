// Groups the marks of a map into clusters, without DOM. A mark is {id, latitude, longitude, label,
// icon}. A mark with a count above 1 represents that many places, and may have their bounds
// {south, west, north, east}.

import { project, toBox } from "./projection.js";

const ROW_STRIDE = 2 ** 26; // stride of the columns in the number of a cell; exceeds the rows at the highest zoom
const NEIGHBOURS = [-1, 0, 1].flatMap((column) => [-1, 0, 1].map((row) => column * ROW_STRIDE + row));

// Clusters groups marks by the cells of a grid. An item is {key, marks, count, x, y, box}: a mark, or
// the cluster of the marks in a cell, at their mean position. Items are in the order of their first
// marks, and the marks of an item keep their order.
export class Clusters {
	#points;
	#cell;
	#items = new Map(); // zoom → items

	// cell is the size of a cell in pixels.
	constructor(marks, cell = 56) {
		this.#cell = cell;
		this.#points = marks.map((mark) => {
			const { x, y } = project(mark);
			return { mark, x, y, box: mark.bounds ? toBox(mark.bounds) : { left: x, top: y, right: x, bottom: y } };
		});
	}

	// at returns the items at an integer zoom. It caches the list.
	at(zoom) {
		let items = this.#items.get(zoom);
		if (!items) this.#items.set(zoom, (items = this.#group(zoom)));
		return items;
	}

	#group(zoom) {
		const cells = new Map();
		for (const point of this.#points) {
			const key = this.#cellOf(point, zoom);
			const cell = cells.get(key);
			if (cell) cell.push(point);
			else cells.set(key, [point]);
		}
		return this.#merge(cells, zoom);
	}

	// #merge returns the items of the cells. An item that is nearer than half a cell to the item of a
	// neighbouring cell is merged into it.
	#merge(cells, zoom) {
		const groups = new Map(); // number of a cell → { points, item }
		for (const [key, points] of cells) {
			const item = newItem(points);
			const isNear = (other) => Math.hypot(other.x - item.x, other.y - item.y) * 2 ** zoom < this.#cell / 2;
			const neighbour = NEIGHBOURS.map((offset) => groups.get(key + offset)).find((other) => other && isNear(other.item));
			if (!neighbour) {
				groups.set(key, { points, item });
				continue;
			}
			neighbour.points = [...neighbour.points, ...points];
			neighbour.item = newItem(neighbour.points);
		}
		return Array.from(groups.values(), (group) => group.item);
	}

	// #cellOf returns the number of the cell that contains a point.
	#cellOf({ x, y }, zoom) {
		const scale = 2 ** zoom / this.#cell;
		return Math.floor(x * scale) * ROW_STRIDE + Math.floor(y * scale);
	}

	// splitZoom returns the lowest integer zoom between low and high at which the marks of an item are
	// in several items, or null.
	splitZoom({ marks }, low, high) {
		for (let zoom = Math.ceil(low); zoom <= high; zoom++) {
			const item = this.at(zoom).find((other) => other.marks.includes(marks[0]));
			if (!marks.every((mark) => item.marks.includes(mark))) return zoom;
		}
		return null;
	}
}

// markKey returns the key of an item that consists of one mark.
export const markKey = (mark) => `${mark.count > 1 ? "cluster" : "mark"} ${mark.id}`;

// newItem returns the item that consists of the marks of points. Its position is the mean of their positions,
// weighted by count.
function newItem(points) {
	const [{ mark: first }] = points;
	const item = {
		key: points.length > 1 ? `cluster ${first.id}` : markKey(first),
		marks: points.map((point) => point.mark),
		count: 0, x: 0, y: 0, box: { ...points[0].box },
	};
	for (const { mark, x, y, box } of points) {
		const count = mark.count ?? 1;
		item.count += count;
		item.x += x * count;
		item.y += y * count;
		item.box.left = Math.min(item.box.left, box.left);
		item.box.top = Math.min(item.box.top, box.top);
		item.box.right = Math.max(item.box.right, box.right);
		item.box.bottom = Math.max(item.box.bottom, box.bottom);
	}
	item.x /= item.count;
	item.y /= item.count;
	return item;
}
