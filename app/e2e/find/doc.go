// Package find tests searches in the whole program: HTTP routes, the panel, the
// dataset and the overlay, with search servers on this machine. The rules of Find are
// tested in svc/find.
package find
