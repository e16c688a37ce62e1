// Package surface tests surfaces, findings and the workspace in the whole
// program: HTTP routes, panels, and the actions of the dataset. The rules of the
// Surface service are tested in svc/surface.
package surface
