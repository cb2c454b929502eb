data "aws_region" "here" {}

data "aws_subnet" "public" {
  for_each = toset(var.public_subnet_ids)
  id       = each.value
}

locals {
  configuration = join("\n", [
    templatefile("${path.module}/usher.yaml.tftpl", {
      host_name       = var.host_name
      trusted_proxies = jsonencode(concat([for subnet in data.aws_subnet.public : subnet.cidr_block], var.trusted_proxies))
      keys_secret_arn = var.keys_secret_arn
    }),
    var.configuration,
  ])
  tasks_min = var.active ? var.tasks.min : 0
}

resource "aws_ecs_cluster" "usher" {
  #checkov:skip=CKV_AWS_65:Container Insights is charged by metric; the alarms need none of it
  name = var.name
}

resource "aws_ecs_task_definition" "usher" {
  family                   = var.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.cpu
  memory                   = var.memory
  execution_role_arn       = aws_iam_role.execution.arn
  task_role_arn            = aws_iam_role.task.arn
  runtime_platform {
    operating_system_family = "LINUX"
    cpu_architecture        = var.cpu_architecture
  }
  # Of the task's own disk: the image gives this folder to its user. It goes with the task (docs/aws.md says what that costs).
  volume {
    name = "state"
  }
  container_definitions = jsonencode([{
    name      = "usher"
    image     = var.image
    essential = true
    user      = "node"
    # The address of the store is put together here, since its token is a secret and its host is not.
    entryPoint = ["/bin/sh", "-c"]
    command = [join(" && ", [
      "printf '%s' \"$CONFIGURATION\" > /var/lib/usher/usher.yaml",
      "export USHER_REDIS_URL=\"rediss://:$STORE_TOKEN@$STORE_HOST:6379\"",
      "exec node dist/main.js serve --config /var/lib/usher/usher.yaml",
    ])]
    environment = [
      { name = "AWS_REGION", value = data.aws_region.here.region },
      { name = "CONFIGURATION", value = local.configuration },
      { name = "STORE_HOST", value = aws_elasticache_replication_group.store.primary_endpoint_address },
    ]
    secrets = [
      { name = "STORE_TOKEN", valueFrom = aws_secretsmanager_secret.made["store-token"].arn },
      { name = "USHER_ADMIN_API_KEY", valueFrom = aws_secretsmanager_secret.made["admin-key"].arn },
    ]
    portMappings           = [{ containerPort = 3000 }, { containerPort = 3100 }]
    readonlyRootFilesystem = true
    mountPoints            = [{ sourceVolume = "state", containerPath = "/var/lib/usher" }]
    linuxParameters        = { capabilities = { drop = ["ALL"] } }
    ulimits                = [{ name = "nofile", softLimit = 65536, hardLimit = 65536 }]
    # listen.drain (25 s) and five seconds more.
    stopTimeout = 30
    logConfiguration = {
      logDriver = "awslogs"
      options = {
        awslogs-group         = aws_cloudwatch_log_group.usher.name
        awslogs-region        = data.aws_region.here.region
        awslogs-stream-prefix = "usher"
      }
    }
  }])
}

resource "aws_ecs_service" "usher" {
  name                               = var.name
  cluster                            = aws_ecs_cluster.usher.id
  task_definition                    = aws_ecs_task_definition.usher.arn
  launch_type                        = "FARGATE"
  desired_count                      = local.tasks_min
  deployment_minimum_healthy_percent = 100
  deployment_maximum_percent         = 200
  availability_zone_rebalancing      = "ENABLED"
  # /readyz is 503 while Redis is away. That takes a task out of the load balancer and must not have it killed (docs/deploy.md): so the
  # scheduler never minds, for 68 years. Where no task is ready, the load balancer asks all of them.
  health_check_grace_period_seconds = 2147483647
  network_configuration {
    subnets          = var.private_subnet_ids
    security_groups  = [aws_security_group.tasks.id]
    assign_public_ip = false
  }
  load_balancer {
    target_group_arn = aws_lb_target_group.usher.arn
    container_name   = "usher"
    container_port   = 3000
  }
  service_registries {
    registry_arn = aws_service_discovery_service.tasks.arn
  }
  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }
  lifecycle {
    # Auto Scaling's.
    ignore_changes = [desired_count]
  }
  depends_on = [aws_lb_listener.https]
}

# tasks.NAME.internal has the addresses of tasks, eight in an answer: for operators' commands, Prometheus and forward authentication.
resource "aws_service_discovery_private_dns_namespace" "internal" {
  name = "${var.name}.internal"
  vpc  = var.vpc_id
}

resource "aws_service_discovery_service" "tasks" {
  name = "tasks"
  dns_config {
    namespace_id   = aws_service_discovery_private_dns_namespace.internal.id
    routing_policy = "MULTIVALUE"
    dns_records {
      type = "A"
      ttl  = 10
    }
  }
}
