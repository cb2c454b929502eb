resource "aws_lb" "usher" {
  #checkov:skip=CKV_AWS_91:Access logs hold visitors' addresses; Usher's own log has what operating it needs
  #checkov:skip=CKV_AWS_150:It is a variable, on by default
  #checkov:skip=CKV2_AWS_28:A firewall that challenges by its own cookies comes between visitors and their place; associate one from outside if it is wanted
  name                       = var.name
  load_balancer_type         = "application"
  security_groups            = [aws_security_group.load_balancer.id]
  subnets                    = var.public_subnet_ids
  drop_invalid_header_fields = true
  enable_deletion_protection = var.deletion_protection
}

resource "aws_lb_listener" "http" {
  load_balancer_arn = aws_lb.usher.arn
  port              = 80
  protocol          = "HTTP"
  default_action {
    type = "redirect"
    redirect {
      port        = "443"
      protocol    = "HTTPS"
      status_code = "HTTP_301"
    }
  }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.usher.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn
  default_action {
    type = "fixed-response"
    fixed_response {
      content_type = "text/plain"
      status_code  = "404"
    }
  }
}

# docs/deploy.md, "What must be refused". A rule takes five values.
resource "aws_lb_listener_rule" "refused" {
  listener_arn = aws_lb_listener.https.arn
  priority     = 1
  condition {
    path_pattern { values = ["/admin*", "/console*", "/metrics", "/readyz", "/rooms/*/verify*"] }
  }
  action {
    type = "fixed-response"
    fixed_response {
      content_type = "text/plain"
      status_code  = "403"
    }
  }
}

resource "aws_lb_listener_rule" "usher" {
  listener_arn = aws_lb_listener.https.arn
  priority     = 2
  condition {
    host_header { values = [var.host_name] }
  }
  action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.usher.arn
  }
}

resource "aws_lb_target_group" "usher" {
  #checkov:skip=CKV_AWS_378:TLS ends at the load balancer; tasks are reached from its security group alone
  name        = var.name
  vpc_id      = var.vpc_id
  port        = 3000
  protocol    = "HTTP"
  target_type = "ip"
  # ECS ends a task when this is over.
  deregistration_delay = 30
  health_check {
    port                = "3100"
    path                = "/readyz"
    matcher             = "200"
    interval            = 10
    timeout             = 5
    healthy_threshold   = 2
    unhealthy_threshold = 2
  }
}
