// The order of calendars.

// reorder moves a calendar of a list to another position. World stores a number for each
// calendar: orders are the present ones in the order of the list. send(index, order) is called
// for each calendar whose number changes; the first one that returns null ends it.
export async function reorder(orders, from, to, send) {
	const indexes = [...orders.keys()];
	indexes.splice(to, 0, ...indexes.splice(from, 1));
	for (const [order, index] of indexes.entries()) {
		if (orders[index] !== order && (await send(index, order)) === null) return;
	}
}
