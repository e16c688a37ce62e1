// Removes the data of members that the web app has stored in this browser, on the sign-in page after a
// sign-out: drafts, responses, pictures and writes that have not been sent. Browsers remove it
// without this script only with HTTPS (Clear-Site-Data). The attribute data-base of the script is the
// path of the server.

import { draftsOf } from "./frame/drafts.js";
import { databaseName, MemberCache } from "./world/cache.js";

const { base } = document.querySelector("script[data-base]").dataset;
const memberCache = new MemberCache({ base, memberId: () => null });
if (memberCache.signedIn === null) { // a member may have signed in in another tab meanwhile
	draftsOf({ base, memberId: "" }); // removes the drafts of all members
	sessionStorage.clear();
	await memberCache.wipe();
	indexedDB.deleteDatabase(databaseName(base)); // waits until other tabs close it
}
