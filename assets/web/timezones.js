// Offers the time zone of the browser as the first choice of a time zone, and selects
// it unless the page selects another one. The attribute data-timezones contains what its label
// says about it.
"use strict";

for (const select of document.querySelectorAll("select[data-timezones]")) {
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (!zone) continue;
	const listed = [...select.options].find((option) => option.value === zone);
	const own = new Option(`${zone} (${select.dataset.timezones})`, zone);
	own.selected = listed?.defaultSelected || !select.querySelector("option[selected]");
	listed?.remove();
	select.prepend(own);
}
