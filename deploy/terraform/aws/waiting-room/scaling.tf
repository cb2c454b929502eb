resource "aws_appautoscaling_target" "tasks" {
  service_namespace  = "ecs"
  scalable_dimension = "ecs:service:DesiredCount"
  resource_id        = "service/${aws_ecs_cluster.usher.name}/${aws_ecs_service.usher.name}"
  min_capacity       = local.tasks_min
  max_capacity       = var.active ? var.tasks.max : 0
}

# Arrivals: a join, a reload and a poll are requests.
resource "aws_appautoscaling_policy" "arrivals" {
  name               = "${var.name}-arrivals"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.tasks.service_namespace
  scalable_dimension = aws_appautoscaling_target.tasks.scalable_dimension
  resource_id        = aws_appautoscaling_target.tasks.resource_id
  target_tracking_scaling_policy_configuration {
    target_value       = var.requests_per_task
    scale_out_cooldown = 30
    scale_in_cooldown  = 600
    predefined_metric_specification {
      predefined_metric_type = "ALBRequestCountPerTarget"
      resource_label         = "${aws_lb.usher.arn_suffix}/${aws_lb_target_group.usher.arn_suffix}"
    }
  }
}

# CloudWatch does not know how late the event loop is. A process uses one core, and is late when that is full.
resource "aws_appautoscaling_policy" "cpu" {
  name               = "${var.name}-cpu"
  policy_type        = "TargetTrackingScaling"
  service_namespace  = aws_appautoscaling_target.tasks.service_namespace
  scalable_dimension = aws_appautoscaling_target.tasks.scalable_dimension
  resource_id        = aws_appautoscaling_target.tasks.resource_id
  target_tracking_scaling_policy_configuration {
    target_value       = 60
    scale_out_cooldown = 30
    scale_in_cooldown  = 600
    predefined_metric_specification {
      predefined_metric_type = "ECSServiceAverageCPUUtilization"
    }
  }
}

# A new task takes a minute or two: too late for an opening. An apply between two of these sets var.tasks until the next.
resource "aws_appautoscaling_scheduled_action" "sale" {
  for_each           = var.active ? var.scheduled : {}
  name               = "${var.name}-${each.key}"
  service_namespace  = aws_appautoscaling_target.tasks.service_namespace
  scalable_dimension = aws_appautoscaling_target.tasks.scalable_dimension
  resource_id        = aws_appautoscaling_target.tasks.resource_id
  schedule           = each.value.schedule
  timezone           = each.value.time_zone
  scalable_target_action {
    min_capacity = each.value.min
    max_capacity = each.value.max
  }
}
