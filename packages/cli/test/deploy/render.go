// Renders a chart with the template engine that Helm is built on. Reads {root, templates: [{name, text}]} as JSON, writes
// {name: text}. Has those functions of Helm that the chart uses. JSON is YAML, so toYaml writes that.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

func toInt(value any) int64 {
	switch number := value.(type) {
	case float64:
		return int64(number)
	case int:
		return int64(number)
	}
	panic(fmt.Sprintf("no number: %v", value))
}

func main() {
	var input struct {
		Root      map[string]any
		Templates []struct{ Name, Text string }
	}
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		panic(err)
	}
	all := template.New("chart").Option("missingkey=error")
	all.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out strings.Builder
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"nindent": func(width int, text string) string {
			pad := strings.Repeat(" ", width)
			return "\n" + pad + strings.ReplaceAll(text, "\n", "\n"+pad)
		},
		"quote": func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"default": func(fallback, value any) any {
			if isTrue, _ := template.IsTrue(value); isTrue {
				return value
			}
			return fallback
		},
		"dict": func(pairs ...any) map[string]any {
			all := map[string]any{}
			for at := 0; at+1 < len(pairs); at += 2 {
				all[fmt.Sprint(pairs[at])] = pairs[at+1]
			}
			return all
		},
		"merge": func(first, second map[string]any) map[string]any {
			for name, value := range second {
				if _, isThere := first[name]; !isThere {
					first[name] = value
				}
			}
			return first
		},
		"list": func(values ...any) []any { return values },
		"add": func(values ...any) (sum int64) {
			for _, value := range values {
				sum += toInt(value)
			}
			return
		},
		"mul": func(first any, values ...any) int64 {
			product := toInt(first)
			for _, value := range values {
				product *= toInt(value)
			}
			return product
		},
	})
	for _, one := range input.Templates {
		template.Must(all.New(one.Name).Parse(one.Text))
	}
	rendered := map[string]string{}
	for _, one := range input.Templates {
		var out strings.Builder
		if err := all.ExecuteTemplate(&out, one.Name, input.Root); err != nil {
			panic(err)
		}
		rendered[one.Name] = out.String()
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		panic(err)
	}
}
