// Records shifts of the layout after the first second of a page that follow no input:
// takeShifts returns them as texts and forgets them.
{
	const shifts = [];
	const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
	const name = ({ node, previousRect, currentRect }) => `${node?.className || node?.nodeName || "?"} from ${box(previousRect)} to ${box(currentRect)}`;
	const observer = new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			if (entry.hadRecentInput || entry.startTime < 1000 || entry.value < 0.002) continue;
			shifts.push(`by ${entry.value.toFixed(3)} after ${Math.round(entry.startTime)} ms: ${entry.sources.map(name).join(", ")}`);
		}
	});
	observer.observe({ type: "layout-shift", buffered: true });
	globalThis.takeShifts = () => shifts.splice(0);
}
