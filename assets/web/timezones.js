// Makes the time zone of the browser the first option of each select element with the attribute
// data-timezones, and selects it unless the page selects another one. The label of the option is
// the name of the zone and, in parentheses, the value of the attribute.
"use strict";

for (const select of document.querySelectorAll("select[data-timezones]")) {
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (!zone) continue;
	const listedOption = [...select.options].find((option) => option.value === zone);
	const browserOption = new Option(`${zone} (${select.dataset.timezones})`, zone);
	browserOption.selected = listedOption?.defaultSelected || !select.querySelector("option[selected]");
	listedOption?.remove();
	select.prepend(browserOption);
}
