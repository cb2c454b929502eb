mock_provider "aws" {
  mock_data "aws_subnet" {
    defaults = { cidr_block = "10.0.0.0/20" }
  }
  mock_data "aws_region" {
    defaults = { region = "eu-west-1" }
  }
  mock_data "aws_secretsmanager_random_password" {
    defaults = { random_password = "aaaaaaaaaaaaaaaa" }
  }
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{}" }
  }
}

variables {
  host_name          = "queue.example.com"
  image              = "registry.example.com/usher:0.3.0"
  certificate_arn    = "arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
  vpc_id             = "vpc-0123456789abcdef0"
  public_subnet_ids  = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  private_subnet_ids = ["subnet-0123456789abcdef2", "subnet-0123456789abcdef3"]
  keys_secret_arn    = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:usher/keys-AbCdEf"
  configuration      = "rooms: [{ id: tickets }]"
  scheduled          = { sale = { schedule = "at(2031-05-10T09:00:00)", min = 20, max = 40, time_zone = "Europe/Berlin" } }
}

run "in_service" {
  command = plan
  assert {
    condition     = aws_appautoscaling_target.tasks.min_capacity == 2 && length(aws_appautoscaling_scheduled_action.sale) == 1
    error_message = "Two tasks, and more before the sale."
  }
  assert {
    condition     = length(aws_cloudwatch_metric_alarm.usher) == 16
    error_message = "Eight alarms of the service, four of each node of the store."
  }
  assert {
    condition     = yamldecode(local.configuration).issuer == "https://queue.example.com" && yamldecode(local.configuration).rooms[0].id == "tickets" && yamldecode(local.configuration).listen.trusted_proxies == ["10.0.0.0/20", "10.0.0.0/20"]
    error_message = "What the module writes and what is given are one file."
  }
}

run "standby" {
  command = plan
  variables {
    active = false
  }
  assert {
    condition     = aws_appautoscaling_target.tasks.max_capacity == 0 && aws_ecs_service.usher.desired_count == 0 && length(aws_cloudwatch_metric_alarm.usher) == 0
    error_message = "No tasks, and no alarms about them."
  }
}
