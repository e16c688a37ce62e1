package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"appliance/app"
	"appliance/app/config"
	"appliance/app/manual"
	"appliance/svc/zoneinfo"
	"appliance/world/compat"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the versions of the program and of the time zone data that it uses.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.settings(cmd); err != nil { // of the program itself there is still a version
				c.printMessage("appliance: %s", errorText(err))
			}
			v := struct {
				Version  string        `json:"version"`
				Go       string        `json:"go"`
				System   string        `json:"system"`
				TimeZone zoneinfo.Info `json:"time_zones"`
			}{app.Version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, zoneinfo.Current().Info}
			return c.print(v, func(w io.Writer) {
				fmt.Fprintf(w, "appliance %s (%s, %s)\n", v.Version, v.Go, v.System)
				fmt.Fprintf(w, "time zones %s of %s, from %s\n", v.TimeZone.Version, v.TimeZone.Released.Format("2 January 2006"), cmp.Or(v.TimeZone.Path, "the program"))
			})
		},
	}
}

func (c *cli) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print all settings and the source of each value",
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			list, err := settings.List()
			if err != nil {
				return err
			}
			return c.print(list, func(w io.Writer) {
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				for _, s := range list {
					fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, s.Value, s.Origin)
				}
				table.Flush()
			})
		},
	}
	config.AddFlags(cmd.Flags())
	return cmd
}

func (c *cli) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages into a directory",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			cmd.Root().DisableAutoGenTag = true
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Title: "APPLIANCE", Section: "1", Source: "appliance " + app.Release}, args[0])
		},
	}
}

func (c *cli) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "schema", Short: "JSON Schemas of the payloads"}
	cmd.AddCommand(&cobra.Command{
		Use:   "dump DIR",
		Short: "Write the schemas into a directory",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			for _, contract := range compat.Contracts {
				text, _ := compat.Schema(contract.Name, fmt.Sprint(contract.Version))
				if err := os.WriteFile(filepath.Join(args[0], path.Base(contract.File())), text, 0o644); err != nil {
					return err
				}
			}
			return c.print(compat.Contracts, func(w io.Writer) {
				for _, contract := range compat.Contracts {
					fmt.Fprintf(w, "%s %d\n", contract.Name, contract.Version)
				}
			})
		},
	})
	return cmd
}

// topicCommands returns a command for each topic of the manual, for `appliance help
// TOPIC`.
func topicCommands() []*cobra.Command {
	var list []*cobra.Command
	for _, t := range manual.Topics() {
		cmd := &cobra.Command{Use: t.Name, Short: t.Title}
		cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), t.Text) })
		list = append(list, cmd)
	}
	return list
}
