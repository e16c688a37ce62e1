// Reads the data again when a day begins.

const CHECK_INTERVAL = 60_000; // milliseconds between two comparisons of the day

// followDay reads all data again after each midnight in the time zone of the member, until the scope ends. The
// dataset and panels depend on the day, for example the schedule of Today and the overdue tasks, but the stream
// reports no change at midnight.
export function followDay({ words, reader }, scope) {
	let day = words.currentDay();
	scope.every(CHECK_INTERVAL, () => {
		if (words.currentDay() === day) return;
		day = words.currentDay();
		reader.refreshParts();
	});
}
