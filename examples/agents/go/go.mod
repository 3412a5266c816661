module example.com/word-counter

go 1.24
