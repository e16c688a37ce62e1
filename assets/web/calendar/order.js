// Changes the order of the calendars.

// reorder moves a calendar of a list from one index to another. World stores a sort key for each
// calendar; orders contains the present keys in the order of the list. The new keys are the new
// indexes. send(index, order) is called for each calendar whose key changes, with its index before
// the move. reorder stops when send returns null.
export async function reorder(orders, from, to, send) {
	const indexes = [...orders.keys()];
	indexes.splice(to, 0, ...indexes.splice(from, 1));
	for (const [order, index] of indexes.entries()) {
		if (orders[index] !== order && (await send(index, order)) === null) return;
	}
}
