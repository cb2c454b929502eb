# What CloudWatch can tell of deploy/monitoring/usher.rules.yml: docs/aws.md has which rule is which alarm. The others need Prometheus.

locals {
  load_balancer = { LoadBalancer = aws_lb.usher.arn_suffix }
  targets       = { LoadBalancer = aws_lb.usher.arn_suffix, TargetGroup = aws_lb_target_group.usher.arn_suffix }
  service       = { ClusterName = aws_ecs_cluster.usher.name, ServiceName = aws_ecs_service.usher.name }
  nodes         = [for number in range(1, var.store_nodes + 1) : format("%s-%03d", var.name, number)]

  # period in seconds; of so many periods in a row.
  alarms_of_service = {
    faults         = { namespace = "AWS/ApplicationELB", metric = "HTTPCode_Target_5XX_Count", dimensions = local.targets, statistic = "Sum", over = 300, period = 300, periods = 1 }
    unreachable    = { namespace = "AWS/ApplicationELB", metric = "HTTPCode_ELB_5XX_Count", dimensions = local.load_balancer, statistic = "Sum", over = 60, period = 60, periods = 1 }
    not-ready      = { namespace = "AWS/ApplicationELB", metric = "UnHealthyHostCount", dimensions = local.targets, statistic = "Maximum", over = 0, period = 60, periods = 2 }
    slow           = { namespace = "AWS/ApplicationELB", metric = "TargetResponseTime", dimensions = local.targets, statistic = "p99", over = 1, period = 60, periods = 3 }
    cpu            = { namespace = "AWS/ECS", metric = "CPUUtilization", dimensions = local.service, statistic = "Average", over = 85, period = 60, periods = 2 }
    memory         = { namespace = "AWS/ECS", metric = "MemoryUtilization", dimensions = local.service, statistic = "Maximum", over = 85, period = 60, periods = 5 }
    event-critical = { namespace = "Usher", metric = aws_cloudwatch_log_metric_filter.events["critical"].metric_transformation[0].name, dimensions = {}, statistic = "Sum", over = 0, period = 60, periods = 1 }
    event-warning  = { namespace = "Usher", metric = aws_cloudwatch_log_metric_filter.events["warning"].metric_transformation[0].name, dimensions = {}, statistic = "Sum", over = 0, period = 300, periods = 1 }
  }
  alarms_of_store = merge([for node in local.nodes : {
    "${node}-cpu"         = { namespace = "AWS/ElastiCache", metric = "EngineCPUUtilization", dimensions = { CacheClusterId = node }, statistic = "Average", over = 80, period = 60, periods = 3 }
    "${node}-memory"      = { namespace = "AWS/ElastiCache", metric = "DatabaseMemoryUsagePercentage", dimensions = { CacheClusterId = node }, statistic = "Maximum", over = 85, period = 60, periods = 1 }
    "${node}-evictions"   = { namespace = "AWS/ElastiCache", metric = "Evictions", dimensions = { CacheClusterId = node }, statistic = "Sum", over = 0, period = 60, periods = 1 }
    "${node}-replication" = { namespace = "AWS/ElastiCache", metric = "ReplicationLag", dimensions = { CacheClusterId = node }, statistic = "Maximum", over = 2, period = 60, periods = 2 }
  }]...)
  alarms = var.active ? merge(local.alarms_of_service, local.alarms_of_store) : {}
}

resource "aws_cloudwatch_metric_alarm" "usher" {
  for_each            = local.alarms
  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = "docs/aws.md, Alarms"
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = each.value.dimensions
  statistic           = each.value.statistic == "p99" ? null : each.value.statistic
  extended_statistic  = each.value.statistic == "p99" ? "p99" : null
  comparison_operator = "GreaterThanThreshold"
  threshold           = each.value.over
  period              = each.value.period
  evaluation_periods  = each.value.periods
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
  ok_actions          = var.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "too_few_ready" {
  count               = var.active ? 1 : 0
  alarm_name          = "${var.name}-too-few-ready"
  alarm_description   = "docs/aws.md, Alarms"
  namespace           = "AWS/ApplicationELB"
  metric_name         = "HealthyHostCount"
  dimensions          = local.targets
  statistic           = "Minimum"
  comparison_operator = "LessThanThreshold"
  threshold           = var.tasks.min
  period              = 60
  evaluation_periods  = 5
  treat_missing_data  = "breaching"
  alarm_actions       = var.alarm_actions
  ok_actions          = var.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "certificate" {
  alarm_name          = "${var.name}-certificate"
  alarm_description   = "docs/aws.md, Alarms"
  namespace           = "AWS/CertificateManager"
  metric_name         = "DaysToExpiry"
  dimensions          = { CertificateArn = var.certificate_arn }
  statistic           = "Minimum"
  comparison_operator = "LessThanThreshold"
  threshold           = 14
  period              = 86400
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
}
