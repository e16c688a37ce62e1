package cli

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"appliance/app"
	"appliance/svc/translate"
	"appliance/svc/translate/extract"
	"appliance/svc/translate/maintext"

	"github.com/spf13/cobra"
)

// translateCommand returns the command translate.
func (c *cli) translateCommand() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use:   "translate URL|FILE",
		Short: "Print the preview of a web page",
		Long: "Read a web page, or a file with its HTML, as the server does for a preview, and print the result.\n" +
			"Nothing is stored. The page must be on a public server, or on a host of the setting fetch-allow-hosts.",
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			t, err := app.NewTranslator(settings, app.SystemTime)
			if err != nil {
				return err
			}
			r, err := translatePage(cmd.Context(), t, args[0], address)
			if err != nil {
				return err
			}
			return c.print(r, func(w io.Writer) { printPage(w, r) })
		},
	}
	cmd.Flags().StringVar(&address, "url", "", "`URL` of the page in FILE, for its relative links.")
	return cmd
}

// translatePage translates the page at a URL, or in a file; name is either. Pictures
// have their addresses at the site.
func translatePage(ctx context.Context, t *translate.Translator, name, address string) (r *translate.Result, err error) {
	if u, parseErr := url.Parse(name); parseErr == nil && (u.Scheme == "http" || u.Scheme == "https") {
		r, err = t.Fetch(ctx, name)
	} else {
		var body []byte
		if body, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if address == "" {
			address = "https://example.org/" + url.PathEscape(filepath.Base(name))
		}
		r, err = t.Translate(address, "", body)
	}
	if err != nil {
		return nil, err
	}
	for _, part := range r.Parts {
		for _, image := range part.Images {
			image.URL = image.Source
		}
	}
	return r, nil
}

// printPage prints a translated page as text.
func printPage(w io.Writer, r *translate.Result) {
	fmt.Fprintf(w, "%s\n", r.CanonicalURL)
	for _, part := range r.Parts {
		fmt.Fprintf(w, "\n%s: %s\n", strings.ToUpper(part.Kind), part.Title)
		if part.Summary != "" {
			fmt.Fprintf(w, "%s\n", part.Summary)
		}
		for _, d := range part.Details {
			fmt.Fprintf(w, "  %s: %s\n", d[0], d[1])
		}
		switch content := part.Content.(type) {
		case *extract.Article:
			printBlocks(w, content.Blocks)
		case *translate.Resource:
			printBlocks(w, content.Blocks)
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "\nWarning: %s\n", warning)
	}
}

// printBlocks prints the blocks of a text as plain text.
func printBlocks(w io.Writer, blocks []maintext.Block) {
	for _, b := range blocks {
		fmt.Fprintln(w)
		switch {
		case b.Image != nil:
			fmt.Fprintf(w, "[Picture: %s]\n", b.Image.Caption)
		case b.Type == "heading":
			fmt.Fprintf(w, "%s %s\n", strings.Repeat("#", b.Level), b.Text)
		case b.Type == "quote":
			fmt.Fprintf(w, "> %s\n", b.Text)
		case b.Text != "":
			fmt.Fprintln(w, b.Text)
		}
		for i, item := range b.Items {
			mark := "-"
			if b.Ordered {
				mark = fmt.Sprintf("%d.", i+1)
			}
			fmt.Fprintf(w, "%s %s\n", mark, item)
		}
		for _, row := range b.Rows {
			fmt.Fprintln(w, strings.Join(row, " | "))
		}
	}
}
