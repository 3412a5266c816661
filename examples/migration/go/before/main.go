// A simple-a2a agent: it counts the words of a text.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"unicode"
)

type object = map[string]any

func answer(text string) (string, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return "", errors.New("This text has no words.")
	}
	return fmt.Sprintf("%d words, %d characters", len(words), len([]rune(text))), nil
}

func run(text string) object {
	says, err := answer(text)
	if err != nil {
		return object{"status": "error", "output": nil, "error": err.Error()}
	}
	return object{"status": "success", "output": object{"text": says}, "error": nil}
}

func main() {
	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var task struct {
			ID    string `json:"task_id"`
			Input struct{ Text string }
		}
		if err := json.NewDecoder(r.Body).Decode(&task); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result := run(task.Input.Text)
		result["task_id"] = task.ID
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(result)
	})
	host := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "8090")
	fmt.Println("Listening on http://" + host)
	panic(http.ListenAndServe(host, nil))
}
