// Package social tests Social in the whole program over HTTP: statuses and
// shapes of responses, links and actions, mirrors in calendars, the dataset and
// the panel. The rules of Social are tested next to the code, in svc/social.
package social
