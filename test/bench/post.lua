-- Has `wrk` ask by POST.
wrk.method = "POST"
