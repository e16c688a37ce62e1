// Clusters of marks on a grid, without DOM. A mark is {id, latitude, longitude, label,
// icon}. A mark with a count above 1 stands for that many places; its bounds
// {south, west, north, east} are optional.

import { project, toBox } from "./projection.js";

const ROWS = 2 ** 26; // more than the rows of cells at the highest zoom
const NEIGHBOURS = [-1, 0, 1].flatMap((column) => [-1, 0, 1].map((row) => column * ROWS + row));

// Clusters returns the items of a map for each integer zoom. An item is {key, marks, count,
// x, y, box}: a mark, or a cluster of the marks in a cell of the grid, at their mean.
// Items have the order of their first marks, and so have the marks of a cell.
export class Clusters {
	#points;
	#cell;
	#items = new Map(); // by zoom

	// cell is the size of a cell in pixels.
	constructor(marks, cell = 56) {
		this.#cell = cell;
		this.#points = marks.map((mark) => {
			const { x, y } = project(mark);
			return { mark, x, y, box: mark.bounds ? toBox(mark.bounds) : { left: x, top: y, right: x, bottom: y } };
		});
	}

	// Returns the items at an integer zoom. The list is cached.
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

	// merge returns the items of cells. Those nearer than half a cell to one of another cell,
	// across the border between them, become part of it.
	#merge(cells, zoom) {
		const groups = new Map(); // by cell
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

	#cellOf({ x, y }, zoom) {
		const scale = 2 ** zoom / this.#cell;
		return Math.floor(x * scale) * ROWS + Math.floor(y * scale);
	}

	// Returns the lowest integer zoom, from low to high, at which the marks of an item are in several items, or null.
	splitZoom({ marks }, low, high) {
		for (let zoom = Math.ceil(low); zoom <= high; zoom++) {
			const item = this.at(zoom).find((other) => other.marks.includes(marks[0]));
			if (!marks.every((mark) => item.marks.includes(mark))) return zoom;
		}
		return null;
	}
}

// Returns the key of the item of one mark.
export const markKey = (mark) => `${mark.count > 1 ? "cluster" : "mark"} ${mark.id}`;

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
