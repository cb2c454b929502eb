resource "aws_cloudwatch_log_group" "usher" {
  #checkov:skip=CKV_AWS_158:It holds no ticket, cookie, code, token or secret
  #checkov:skip=CKV_AWS_338:How long is a variable
  name              = "/usher/${var.name}"
  retention_in_days = var.log_retention_days
}

locals {
  # Events of the log (docs/log-events.md) that stand for rules of deploy/monitoring/usher.rules.yml.
  events = {
    critical = ["gateway.not_ready", "store.away", "room.recovered_paused", "room.failed", "checkpoints.failed", "draw.key_unknown", "registry.unreadable"]
    warning  = ["store.breaker_opened", "secrets.failed", "settings.drift", "joins.proxy_unknown", "webhook.given_up", "webhook.events_missed"]
  }
}

resource "aws_cloudwatch_log_metric_filter" "events" {
  for_each       = local.events
  name           = "${var.name}-${each.key}"
  log_group_name = aws_cloudwatch_log_group.usher.name
  pattern        = "{ ${join(" || ", [for event in each.value : "($.event = \"${event}\")"])} }"
  metric_transformation {
    name          = "${var.name}-${each.key}"
    namespace     = "Usher"
    value         = "1"
    default_value = "0"
  }
}
