package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.ClusterAccess;
import dev.abacus.schemas.monitor.Health;
import dev.abacus.schemas.monitor.MetricSamples;
import dev.abacus.schemas.monitor.Monitoring;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of the page. Everyone who reaches a loopback listener may read; on another address
 * reading needs the token too. Changes always need it.
 */
public final class PageServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);
  private static final long LARGEST_REQUEST = 64 << 10;

  private final Pages pages;
  private final Javalin server;
  private @Nullable RequestGuard guard;
  private final Monitoring monitoring = new Monitoring();

  private PageServer(
      InetSocketAddress listener, ClusterAccess cluster, PageAccess access, InstantSource clock) {
    this.pages = new Pages(cluster, new Sessions(access.visitors(), clock), new PageFiles());
    this.server =
        Javalin.create(config -> {
          config.concurrency.useVirtualThreads = true;
          config.startup.showJavalinBanner = false;
          config.startup.showOldJavalinVersionWarning = false;
          config.startup.startupWatcherEnabled = false;
          config.http.maxRequestSize = LARGEST_REQUEST;
          config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
          if (access.isSecure()) {
            config.jetty.addConnector((jetty, http) -> secure(jetty, http, listener, access));
          }
          routes(config.routes);
        });
  }

  private static ServerConnector secure(
      Server jetty, HttpConfiguration http, InetSocketAddress listener, PageAccess access) {
    HttpConfiguration configuration = new HttpConfiguration(http);
    // RequestGuard checks the host, also if it is an address.
    configuration.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setKeyStorePath(access.keyStore());
    ssl.setKeyStorePassword(access.password());
    ServerConnector connector =
        new ServerConnector(
            jetty,
            new SslConnectionFactory(ssl, HttpVersion.HTTP_1_1.asString()),
            new HttpConnectionFactory(configuration));
    connector.setHost(listener.getHostString());
    connector.setPort(listener.getPort());
    return connector;
  }

  /**
   * Starts to listen.
   *
   * @param listener port 0 for any free port
   * @throws IllegalArgumentException if the address or the key store cannot be used
   */
  public static PageServer start(
      InetSocketAddress listener, ClusterAccess cluster, PageAccess access, InstantSource clock) {
    PageServer page = new PageServer(listener, cluster, access, clock);
    try {
      page.server.start(listener.getHostString(), listener.getPort());
    } catch (JavalinBindException e) {
      throw new IllegalArgumentException(
          "cannot listen on %s: %s".formatted(listener, e.getMessage()), e);
    } catch (JavalinException e) {
      throw new IllegalArgumentException(
          "cannot serve the page with the key store %s: %s"
              .formatted(access.keyStore(), e.getMessage()),
          e);
    }
    page.guard =
        new RequestGuard(
            new InetSocketAddress(listener.getAddress(), page.server.port()), access.isSecure());
    return page;
  }

  /** Starts to answer {@link Monitoring#PATHS}. */
  public void serve(Consumer<MetricSamples> metrics, Supplier<Health> health) {
    monitoring.watch(metrics, health);
  }

  /** A token of 128 random bits. */
  public static String newToken() {
    return Sessions.newToken();
  }

  /** The address of the page. */
  public String url() {
    return guard().url();
  }

  private RequestGuard guard() {
    RequestGuard started = guard;
    if (started == null) {
      throw new NotFoundResponse("starting");
    }
    return started;
  }

  private void routes(RoutesConfig routes) {
    routes.before(context -> {
      RequestGuard.protect(context);
      guard().requireHost(context);
      if (!guard().isLoopback() && !isPublic(context.path()) && pages.session(context) == null) {
        throw new UnauthorizedResponse("");
      }
    });
    routes.get("/assets/{name}", pages::asset);
    Monitoring.PATHS.forEach(path -> routes.get(path, this::monitor));
    new SessionRoutes(pages).add(routes);
    // Before the paths with parameters of the others.
    new DocumentRoutes(pages).add(routes);
    new ReviewRoutes(pages).add(routes);
    new ProgramRoutes(pages).add(routes);
    routes.exception(HttpResponseException.class, this::refused);
    routes.exception(
        Exception.class,
        (failure, context) -> {
          LOG.error("Cannot answer {}", context.path(), failure);
          pages.message(
              context, HttpStatus.INTERNAL_SERVER_ERROR, "The optimizer's log has the cause.");
        });
  }

  private void monitor(Context context) {
    Monitoring.Answer answer = monitoring.answer(context.path());
    if (answer == null) {
      throw new NotFoundResponse("There is no such page.");
    }
    context.status(answer.status()).contentType(answer.type()).result(answer.body());
  }

  private static boolean isPublic(String path) {
    return path.equals("/login") || path.startsWith("/assets/");
  }

  private void refused(HttpResponseException refusal, Context context) {
    if (refusal instanceof UnauthorizedResponse) {
      String from = context.method().name().equals("GET") ? context.path() : "/";
      boolean plain = from.matches("(/[a-z0-9-]+)+");
      context.redirect(plain ? "/login?to=" + from : "/login", HttpStatus.SEE_OTHER);
    } else {
      HttpStatus status = HttpStatus.forStatus(refusal.getStatus());
      pages.message(context, status, String.valueOf(refusal.getMessage()));
    }
  }

  /** Ends the server and all its connections. */
  @Override
  public void close() {
    server.stop();
    monitoring.close();
  }
}
