mock_provider "aws" {}

variables {
  listener_arn     = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:listener/app/shop/0123456789abcdef/0123456789abcdef"
  target_group_arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/0123456789abcdef"
  issuer           = "https://queue.example.com"
  client_id        = "shop-alb"
  client_secret    = "s"
  never_queue      = ["/health", "/webhooks/*", "/assets/*", "/goodbye", "/robots.txt", "/favicon.ico"]
  api              = ["/api/*"]
  rooms            = [{ id = "check-out", paths = ["/checkout", "/checkout/*"] }]
  host_names       = ["shop.example.com"]
}

run "rules_in_order" {
  command = plan
  assert {
    condition     = [for rule in aws_lb_listener_rule.never_queue : rule.priority] == [10, 11]
    error_message = "Six paths and a host are two rules, before all others."
  }
  assert {
    condition     = { for name, rule in aws_lb_listener_rule.authenticated : name => rule.priority } == { api = 20, room-check-out = 30, site = 40 }
    error_message = "The order is that of docs/relying-parties/alb.md."
  }
  assert {
    condition     = alltrue([for rule in aws_lb_listener_rule.authenticated : [for action in rule.action : action.type] == ["authenticate-oidc", "forward"]])
    error_message = "Each of these authenticates, then forwards."
  }
  assert {
    condition     = { for name, rule in aws_lb_listener_rule.authenticated : name => rule.action[0].authenticate_oidc[0].on_unauthenticated_request } == { api = "deny", room-check-out = "authenticate", site = "authenticate" }
    error_message = "Only what scripts ask for is denied."
  }
  assert {
    condition     = aws_lb_listener_rule.authenticated["room-check-out"].action[0].authenticate_oidc[0].session_cookie_name == "CheckOutAuth" && aws_lb_listener_rule.authenticated["room-check-out"].action[0].authenticate_oidc[0].authentication_request_extra_params == tomap({ room = "check-out" })
    error_message = "A room has a cookie of its own."
  }
}

run "taken_out" {
  command = plan
  variables {
    take_out = true
  }
  assert {
    condition     = alltrue([for rule in aws_lb_listener_rule.authenticated : [for action in rule.action : action.type] == ["forward"]])
    error_message = "Taken out, every rule forwards alone."
  }
}
