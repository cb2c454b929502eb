import com.google.gson.Gson;
import com.queue_it.connector.CancelEventConfig;
import com.queue_it.connector.KnownUser;
import com.queue_it.connector.KnownUserRequestWrapper;
import com.queue_it.connector.RequestValidationResult;
import com.queue_it.connector.integrationconfig.CustomerIntegration;
import com.queue_it.queuetoken.Payload;
import com.queue_it.queuetoken.Token;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * A site that has the published connector for Java. `Site PORT CUSTOMER SECRET CONFIGURATION` serves it, by the integration configuration in that file;
 * `Site token CUSTOMER ROOM KEY SECRET` prints an enqueue token.
 */
public class Site {
  public static void main(String[] args) throws Exception {
    if (args[0].equals("token")) {
      System.out.println(
          Token.enqueue(args[1])
              .withEventId(args[2])
              .withValidity(600_000L)
              .withPayload(Payload.enqueue().withKey(args[3]).withCustomData("size", "medium").generate())
              .generate(args[4])
              .getToken());
      return;
    }
    int port = Integer.parseInt(args[0]);
    String origin = "http://localhost:" + port;
    CustomerIntegration integration =
        new Gson().fromJson(Files.readString(Path.of(args[3])), CustomerIntegration.class);
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/", exchange -> answer(exchange, origin, args[1], args[2], integration));
    server.start();
  }

  private static void answer(
      HttpExchange exchange, String origin, String customer, String secret, CustomerIntegration integration) {
    try {
      String query = exchange.getRequestURI().getRawQuery();
      String whole = origin + exchange.getRequestURI().getRawPath() + (query == null ? "" : "?" + query);
      String token = parameter(query, "queueittoken");
      String target = whole.replaceAll("([?&])(queueittoken=[^&]*&?)", "$1").replaceAll("[?&]$", "");
      HttpServletRequest request = requestOf(exchange, origin, query);
      HttpServletResponse response = responseOf(exchange);
      RequestValidationResult result;
      if (exchange.getRequestURI().getPath().endsWith("/goodbye")) {
        CancelEventConfig config = new CancelEventConfig();
        config.setEventId(integration.Integrations[0].EventId);
        config.setQueueDomain(integration.Integrations[0].QueueDomain);
        config.setVersion(integration.Version);
        config.setActionName("goodbye");
        result =
            KnownUser.cancelRequestByLocalConfig(
                target.replace("/goodbye", ""), token, config, customer, request, response, secret);
      } else {
        result =
            KnownUser.validateRequestByIntegrationConfig(
                target, token, integration, customer, new KnownUserRequestWrapper(request), response, secret);
      }
      if (result.doRedirect()) redirect(exchange, result.getRedirectUrl().replace("https://localhost:", "http://localhost:"));
      else if (!token.isEmpty() && "Queue".equals(result.getActionType())) redirect(exchange, target);
      else {
        Map<String, String> said =
            Map.of(
                "path", exchange.getRequestURI().toString(),
                "queueId", String.valueOf(result.getQueueId()),
                "redirectType", String.valueOf(result.getRedirectType()));
        send(exchange, 200, new Gson().toJson(said));
      }
    } catch (Exception fault) {
      send(exchange, 500, fault.toString());
    }
  }

  private static void redirect(HttpExchange exchange, String address) {
    exchange.getResponseHeaders().set("Location", address);
    send(exchange, 302, "");
  }

  private static void send(HttpExchange exchange, int status, String text) {
    try (exchange) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) exchange.getResponseBody().write(bytes);
    } catch (java.io.IOException gone) {
      System.err.println(gone);
    }
  }

  private static String parameter(String query, String name) {
    return Arrays.stream((query == null ? "" : query).split("&"))
        .filter(pair -> pair.startsWith(name + "="))
        .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
        .findFirst()
        .orElse("");
  }

  /** What the connector asks of a request. */
  private static HttpServletRequest requestOf(HttpExchange exchange, String origin, String query) {
    return proxy(
        HttpServletRequest.class,
        (self, method, given) ->
            switch (method.getName()) {
              case "getHeader" -> exchange.getRequestHeaders().getFirst((String) given[0]);
              case "getCookies" -> cookiesOf(exchange);
              case "getRequestURL" -> new StringBuffer(origin + exchange.getRequestURI().getRawPath());
              case "getQueryString" -> query;
              case "getRemoteAddr" -> exchange.getRemoteAddress().getAddress().getHostAddress();
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  private static HttpServletResponse responseOf(HttpExchange exchange) {
    return proxy(
        HttpServletResponse.class,
        (self, method, given) -> {
          if (!method.getName().equals("addCookie")) throw new UnsupportedOperationException(method.getName());
          Cookie cookie = (Cookie) given[0];
          String value = URLEncoder.encode(cookie.getValue(), StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .add("Set-Cookie", cookie.getName() + "=" + value + "; Path=/; Max-Age=" + cookie.getMaxAge());
          return null;
        });
  }

  private static Cookie[] cookiesOf(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Cookie");
    if (header == null) return null;
    return Arrays.stream(header.split("; "))
        .map(pair -> pair.split("=", 2))
        .map(pair -> new Cookie(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8)))
        .toArray(Cookie[]::new);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(Site.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
