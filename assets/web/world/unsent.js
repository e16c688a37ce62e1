// Counts the writes that this browser has not sent, of all members who have used it.

// unsentCounts returns a promise of { memberId, name, count } for each member with unsent writes in the
// database. name is "" for a write that an older version of the app has stored. If the browser has no
// database, the list is empty.
export async function unsentCounts(database) {
	const counts = new Map();
	for (const { memberId, memberName = "" } of await database.all("writes").catch(() => [])) {
		const member = counts.get(memberId) ?? { memberId, name: memberName, count: 0 };
		member.count++;
		counts.set(memberId, member);
	}
	return [...counts.values()];
}
