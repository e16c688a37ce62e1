package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"text/tabwriter"
	"time"

	"appliance/app"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/importer"
	"appliance/svc/maps/reader"

	"github.com/spf13/cobra"
)

func (c *cli) mapsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "maps",
		Short: "Import map data",
		Long:  "Regions of the map: their places and what the map draws. See appliance help regions.",
	}
	cmd.AddCommand(c.mapsImport(), c.mapsStatus(), c.mapsClear())
	return cmd
}

func (c *cli) mapsImport() *cobra.Command {
	var name string
	var yes bool
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Import a region, also while the server runs",
		Long: "Import the places and the map of a region from FILE: OpenStreetMap data (.osm.pbf), GeoJSON or CSV. Several regions\n" +
			"can be side by side. An existing region of the same name is shown until the new one is complete. If the import is\n" +
			"interrupted, the existing region stays. An import that takes more than a minute or 1 GB of disk space asks first.\n\n" +
			"One import runs at a time. The command waits until another import, or the server's loading of the towns, has ended.",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			file, base, closeFile, err := openMapFile(args[0])
			if err != nil {
				return err
			}
			defer closeFile()
			if name == "" {
				name = base
			}
			return c.importRegion(ctx, a, name, file, yes)
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "`Name` of the region. The default is the name of the file.")
	cmd.Flags().BoolVar(&yes, "yes", false, "Do not ask before a long import.")
	return cmd
}

// openMapFile opens a file to import. base is its name without the extension.
func openMapFile(name string) (f reader.File, base string, closeFile func() error, err error) {
	f.Format, base, err = reader.FormatOf(filepath.Base(name))
	if err != nil {
		return f, "", nil, usageError{err}
	}
	content, err := os.Open(name)
	if err != nil {
		return f, "", nil, err
	}
	info, err := content.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		return f, "", nil, errors.Join(err, content.Close())
	}
	f.Content, f.Size = content, info.Size()
	return f, base, content.Close, nil
}

// importHeapGrowth is the heap growth between collections, in percent. The default of
// 100 would need more memory on a machine that also serves.
const importHeapGrowth = 40

// importRegion imports a file as a region and prints the result.
func (c *cli) importRegion(ctx context.Context, a *app.App, name string, file reader.File, yes bool) error {
	estimate, err := reader.EstimateFile(ctx, file)
	if err != nil {
		return err
	}
	if c.isServerRunning {
		estimate.Duration *= 2 // because of the pauses
	}
	if err := c.forecast(a.Settings, estimate, yes); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(importHeapGrowth))
	if c.isServerRunning {
		if err := lowerPriority(); err != nil {
			c.printMessage("Warning: the import has the same priority as the server: %v.", err)
		}
	}
	im := a.MapImporter(c.importPause())
	if err := im.Sweep(ctx); err != nil { // frees the space of an import that was killed
		return err
	}
	im.Progress = c.progress("Importing")
	im.Waiting = c.printWaiting
	result, err := im.File(ctx, name, file)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted: nothing was imported, existing data of the region stays")
	}
	if err != nil {
		return err
	}
	if isTerminal(c.stderr) {
		c.printMessage("The region is published. Removing its previous data; if interrupted, the server continues.")
	}
	if err := im.Sweep(ctx); err != nil {
		return err
	}
	imported := struct {
		Name    string  `json:"name"`
		Format  string  `json:"format"`
		Places  int     `json:"places"`
		Tiles   int     `json:"tiles"`
		Seconds float64 `json:"seconds"`
	}{name, string(file.Format), result.Places, result.Tiles, result.Duration.Seconds()}
	return c.print(imported, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d places, %d tiles, imported in %.1f seconds\n", imported.Name, imported.Places, imported.Tiles, imported.Seconds)
	})
}

// importPause returns the pause of an importer.
func (c *cli) importPause() float64 {
	if c.isServerRunning {
		return app.ServerRunning
	}
	return app.NoPause
}

// printWaiting prints which import must end before a new one begins.
func (c *cli) printWaiting(region string) {
	running := "another import"
	switch region {
	case "":
	case importer.TownsRegion:
		running = "the server's loading of the towns of the world, which takes about a minute"
	default:
		running = "the import of " + region
	}
	c.printMessage("Waiting for %s. The import then starts automatically. Press Ctrl-C to stop waiting.", running)
}

// An import beyond these limits must be confirmed.
const (
	longImport  = time.Minute
	largeImport = 1 << 30 // bytes of disk space
)

// forecast prints the estimated duration and disk space of an import, and asks for confirmation
// if they exceed the limits.
func (c *cli) forecast(settings *config.Settings, e reader.Estimate, yes bool) error {
	c.printMessage("The import needs %s and about %s of memory. The database grows by about %s.\n"+
		"Temporary files need %s in %s.",
		roundDuration(e.Duration), formatSize(e.Memory), formatSize(e.Growth), formatSize(e.Temporary), settings.Data)
	backups := int64(0)
	if settings.BackupEvery > 0 && settings.BackupMaps == "on" {
		backups = e.Growth * int64(settings.BackupKeep)
		c.printMessage("The %d kept backups, which contain map data (backup-maps), grow by %s in all.", settings.BackupKeep, formatSize(backups))
	}
	needed := e.Growth + e.Temporary
	_, free, err := store.FileSystem(settings.Data)
	full := err == nil && uint64(needed) > free
	if full {
		c.printMessage("Warning: only %s are free. If the disk becomes full, the import ends and the existing data stays.", formatSize(int64(free)))
	}
	if yes || !full && e.Duration <= longImport && needed+backups <= largeImport {
		return nil
	}
	if c.terminal == nil {
		return usageError{errors.New("the import is long or needs much space: confirm with --yes")}
	}
	answer, err := c.ask("Continue? [y/N]", false)
	if err != nil {
		return err
	}
	if answer != "y" && answer != "Y" && answer != "yes" {
		return errors.New("not confirmed: nothing was imported")
	}
	return nil
}

// formatSize formats a number of bytes.
func formatSize(bytes int64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GB", bytes>>30)
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d KB", (bytes+1023)>>10)
}

// roundDuration formats a duration for a forecast.
func roundDuration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return "a few seconds"
	case d < 2*time.Minute:
		return fmt.Sprintf("about %d seconds", int(d.Round(10*time.Second).Seconds()))
	}
	return fmt.Sprintf("about %d minutes", int(d.Round(time.Minute).Minutes()))
}

// mapRegion is a region as commands print it.
type mapRegion struct {
	Name        string     `json:"name"`
	Format      string     `json:"format"`
	Places      int        `json:"places"`
	Tiles       int        `json:"tiles"`
	Bounds      [4]float64 `json:"bounds"` // west, south, east, north
	FileSize    int64      `json:"file_size"`
	DataTime    *time.Time `json:"data_time"` // null if the file does not state it
	ImportedAt  time.Time  `json:"imported_at"`
	Attribution string     `json:"attribution"`
}

func newMapRegion(r maps.Region) mapRegion {
	m := mapRegion{
		Name: r.Name, Format: string(r.Format), Places: r.Places, Tiles: r.Tiles, Bounds: [4]float64{r.Bounds.West, r.Bounds.South, r.Bounds.East, r.Bounds.North},
		FileSize: r.FileSize, ImportedAt: r.ImportedAt, Attribution: r.Attribution.Label,
	}
	if !r.DataTime.IsZero() {
		m.DataTime = &r.DataTime
	}
	return m
}

func (c *cli) mapsStatus() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "List the regions",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, _ []string) error {
			list := []mapRegion{}
			err := a.DB.Read(ctx, func(tx *store.Tx) error {
				regions, err := a.Maps.Regions(tx)
				for _, r := range regions {
					list = append(list, newMapRegion(r))
				}
				return err
			})
			if err != nil {
				return err
			}
			return c.print(list, func(w io.Writer) {
				if len(list) == 0 {
					fmt.Fprintln(w, "There are no regions. Import one with appliance maps import FILE.")
					return
				}
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "NAME\tFORMAT\tPLACES\tTILES\tDATA OF\tIMPORTED\tSOURCE")
				for _, r := range list {
					data := "-"
					if r.DataTime != nil {
						data = r.DataTime.Format(time.DateOnly)
					}
					fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", r.Name, r.Format, r.Places, r.Tiles, data, r.ImportedAt.Format(time.RFC3339), r.Attribution)
				}
				table.Flush()
			})
		}),
	}
}

func (c *cli) mapsClear() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "clear NAME",
		Short: "Remove a region",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			name := args[0]
			if name == importer.TownsRegion {
				return usageError{errors.New("the region " + name + " is part of the program and cannot be removed")}
			}
			if !yes && c.terminal == nil {
				return usageError{errors.New("confirm the removal with --yes")}
			}
			if !yes {
				answer, err := c.ask("This removes the places and the map of "+name+". Type the name to confirm", false)
				if err != nil {
					return err
				}
				if answer != name {
					return errors.New("not confirmed: nothing was removed")
				}
			}
			if err := a.Maps.Clear(ctx, a.DB, name); err != nil {
				return err
			}
			if err := a.MapImporter(c.importPause()).Sweep(ctx); err != nil {
				return err
			}
			return c.print(map[string]any{"removed": name}, func(w io.Writer) { fmt.Fprintf(w, "%s is removed.\n", name) })
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "Do not ask for confirmation.")
	return cmd
}
