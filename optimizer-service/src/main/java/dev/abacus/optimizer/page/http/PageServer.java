package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.Frame;
import dev.abacus.optimizer.page.view.OverviewView;
import dev.abacus.optimizer.page.view.PlansView;
import dev.abacus.optimizer.page.view.ProgramHead;
import dev.abacus.optimizer.page.view.ProgramsView;
import dev.abacus.optimizer.page.view.SamplesView;
import dev.abacus.optimizer.page.view.WorkersView;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Dimension;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.SameSite;
import io.javalin.http.UnauthorizedResponse;
import io.javalin.util.JavalinBindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  private final Source source;
  private final Sessions sessions;
  private final PageFiles files = new PageFiles();
  private final Javalin server;
  private @Nullable RequestGuard guard;

  /**
   * What the page shows and where its changes go.
   *
   * @param snapshot the present state
   * @param write writes a control record; throws an IllegalStateException if it is not written
   * @param troubles why the state may be old or incomplete, as sentences
   */
  public record Source(
      Supplier<Cluster> snapshot, Consumer<ControlRecord> write, Supplier<List<String>> troubles) {}

  private PageServer(Source source, String token, InstantSource clock) {
    this.source = source;
    this.sessions = new Sessions(token, clock);
    this.server =
        Javalin.create(config -> {
          config.concurrency.useVirtualThreads = true;
          config.startup.showJavalinBanner = false;
          config.startup.showOldJavalinVersionWarning = false;
          config.startup.startupWatcherEnabled = false;
          config.http.maxRequestSize = LARGEST_REQUEST;
          config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
          routes(config.routes);
        });
  }

  /**
   * Starts to listen.
   *
   * @param listener port 0 for any free port
   * @param token that changes need
   * @throws IllegalStateException if the address cannot be used
   */
  public static PageServer start(
      InetSocketAddress listener, Source source, String token, InstantSource clock) {
    PageServer page = new PageServer(source, token, clock);
    try {
      page.server.start(listener.getHostString(), listener.getPort());
    } catch (JavalinBindException e) {
      throw new IllegalStateException("cannot listen on " + listener, e);
    }
    page.guard = new RequestGuard(new InetSocketAddress(listener.getAddress(), page.server.port()));
    return page;
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
      if (!guard().isLoopback() && !isPublic(context.path()) && session(context) == null) {
        throw new UnauthorizedResponse("");
      }
    });
    routes.get("/assets/{name}", this::asset);
    routes.get("/login", context -> html(context, "login.jte", login(context, "")));
    routes.post("/login", this::login);
    routes.post("/logout", this::logout);
    routes.get("/", this::programs);
    routes.get("/live", context -> fragment(context, "/live", programsLive()));
    routes.get("/programs/{program}", context -> tab(context, "overview"));
    routes.get("/programs/{program}/samples", context -> tab(context, "samples"));
    routes.get("/programs/{program}/workers", context -> tab(context, "workers"));
    routes.get("/programs/{program}/{tab}/live", this::tabLive);
    routes.get("/programs/{program}/plans", context -> plans(context, "plans.jte", ""));
    routes.get("/programs/{program}/what-if", context -> plans(context, "frontier.jte", ""));
    routes.post("/programs/{program}/{change}", this::change);
    routes.exception(HttpResponseException.class, this::refused);
    routes.exception(
        Exception.class,
        (failure, context) -> {
          LOG.error("Cannot answer {}", context.path(), failure);
          message(context, HttpStatus.INTERNAL_SERVER_ERROR, "The optimizer's log has the cause.");
        });
  }

  private static boolean isPublic(String path) {
    return path.equals("/login") || path.startsWith("/assets/");
  }

  private void refused(HttpResponseException refusal, Context context) {
    if (refusal instanceof UnauthorizedResponse) {
      context.redirect("/login", HttpStatus.SEE_OTHER);
    } else {
      HttpStatus status = HttpStatus.forStatus(refusal.getStatus());
      message(context, status, String.valueOf(refusal.getMessage()));
    }
  }

  private void message(Context context, HttpStatus status, String text) {
    context.status(status);
    html(
        context,
        "message.jte",
        Map.of("frame", frame(context, "Abacus", ""), "title", status.getMessage(), "text", text));
  }

  private void programs(Context context) {
    Frame frame = frame(context, "Programs – Abacus", "");
    html(
        context,
        "programs.jte",
        Map.of("frame", frame, "live", live(frame, "/live", programsLive())));
  }

  private String programsLive() {
    return files.render(
        "programsLive.jte", Map.of("view", ProgramsView.of(source.snapshot().get())));
  }

  private void tab(Context context, String tab) {
    tab(context, tab, "");
  }

  private void tab(Context context, String tab, String error) {
    Cluster cluster = source.snapshot().get();
    ProgramRecords records = program(cluster, context);
    String name = records.program().name();
    Frame frame = frame(context, name + " – Abacus", error);
    html(
        context,
        "overview.jte",
        Map.of(
            "frame",
            frame,
            "head",
            ProgramHead.of(records, cluster.at()),
            "tab",
            tab,
            "live",
            live(frame, liveUrl(name, tab), content(cluster, records, tab))));
  }

  private void tabLive(Context context) {
    Cluster cluster = source.snapshot().get();
    ProgramRecords records = program(cluster, context);
    String tab = context.pathParam("tab");
    fragment(context, liveUrl(records.program().name(), tab), content(cluster, records, tab));
  }

  private static String liveUrl(String program, String tab) {
    return "/programs/" + program + "/" + tab + "/live";
  }

  private String content(Cluster cluster, ProgramRecords records, String tab) {
    return switch (tab) {
      case "overview" ->
          files.render("overviewLive.jte", Map.of("view", OverviewView.of(records, cluster.at())));
      case "samples" ->
          files.render("samplesLive.jte", Map.of("view", SamplesView.of(records, cluster.at())));
      case "workers" ->
          files.render("workersLive.jte", Map.of("view", WorkersView.of(records, cluster.at())));
      default -> throw new NotFoundResponse("There is no such page.");
    };
  }

  private void plans(Context context, String template, String error) {
    Cluster cluster = source.snapshot().get();
    ProgramRecords records = program(cluster, context);
    Map<String, Integer> sliders = new HashMap<>();
    for (Dimension dimension : Dimension.values()) {
      @Nullable String position = context.queryParam(dimension.label());
      if (position != null && position.matches("\\d{1,3}")) {
        sliders.put(dimension.label(), Integer.valueOf(position));
      }
    }
    html(
        context,
        template,
        Map.of(
            "frame",
            frame(context, "Plans of " + records.program().name() + " – Abacus", error),
            "view",
            PlansView.of(records, sliders, cluster.at())));
  }

  private static ProgramRecords program(Cluster cluster, Context context) {
    ProgramRecords records = cluster.programs().get(context.pathParam("program"));
    if (records == null) {
      throw new NotFoundResponse("There is no such program.");
    }
    return records;
  }

  private void asset(Context context) {
    PageFiles.Asset asset = files.asset(context.pathParam("name"));
    if (asset == null) {
      throw new NotFoundResponse("There is no such file.");
    }
    context.contentType(asset.type());
    context.header("Cache-Control", "no-cache");
    context.result(asset.content());
  }

  private Map<String, Object> login(Context context, String error) {
    @Nullable String to =
        context.queryParam("to") == null ? context.formParam("to") : context.queryParam("to");
    return Map.of("frame", frame(context, "Sign in – Abacus", error), "to", to == null ? "/" : to);
  }

  private void login(Context context) {
    RequestGuard.requireOrigin(context);
    @Nullable String given = context.formParam("token");
    @Nullable String id = sessions.begin(given == null ? "" : given);
    if (id == null) {
      LOG.warn("A sign-in with a wrong token from {}", context.ip());
      context.status(HttpStatus.FORBIDDEN);
      html(context, "login.jte", login(context, "This is not the token."));
      return;
    }
    context.cookie(
        new Cookie(
            cookie(),
            id,
            "/",
            (int) Sessions.LIFETIME.toSeconds(),
            false,
            true,
            null,
            SameSite.STRICT));
    @Nullable String to = context.formParam("to");
    boolean local = to != null && to.matches("/[a-z0-9-]*(/[a-z0-9-]+)*");
    context.redirect(local ? to : "/", HttpStatus.SEE_OTHER);
  }

  private void logout(Context context) {
    sessions.end(requireSession(context));
    context.removeCookie(cookie());
    context.redirect("/", HttpStatus.SEE_OTHER);
  }

  private void change(Context context) {
    var _ = requireSession(context);
    Cluster cluster = source.snapshot().get();
    ProgramRecords records = program(cluster, context);
    String action = context.pathParam("change");
    boolean plans = action.equals("rollback") || action.equals("activate");
    String problem;
    try {
      @Nullable String value = context.formParam(plans ? "epoch" : "objective");
      Changes change = Changes.of(records, action, value);
      source.write().accept(change.record());
      LOG.info("On the page: {}", change.done());
      String path = "/programs/" + records.program().name() + (plans ? "/plans" : "");
      context.redirect(path + "?done=" + action, HttpStatus.SEE_OTHER);
      return;
    } catch (IllegalArgumentException e) {
      problem = "Nothing was changed: " + e.getMessage();
      context.status(HttpStatus.UNPROCESSABLE_CONTENT);
    } catch (IllegalStateException e) {
      problem = "Nothing was changed: " + e.getMessage();
      context.status(HttpStatus.SERVICE_UNAVAILABLE);
    }
    if (plans) {
      plans(context, "plans.jte", problem);
    } else {
      tab(context, "overview", problem);
    }
  }

  /** The id of the session of a form that this server gave out. */
  private String requireSession(Context context) {
    RequestGuard.requireOrigin(context);
    String id = session(context);
    if (id == null) {
      throw new UnauthorizedResponse("");
    }
    if (!sessions.isCsrf(id, context.formParam("csrf"))) {
      throw new ForbiddenResponse("The form is out of date; load the page again.");
    }
    return id;
  }

  private @Nullable String session(Context context) {
    @Nullable String id = context.cookie(cookie());
    return sessions.isOpen(id) ? id : null;
  }

  /** Cookies of a host are shared by its ports. */
  private String cookie() {
    return "abacus-page-" + server.port();
  }

  private Frame frame(Context context, String title, String error) {
    String id = session(context);
    @Nullable String done = context.queryParam("done");
    return new Frame(
        title,
        context.method().name().equals("GET") ? context.path() : "/",
        !"off".equals(context.queryParam("live")),
        id != null,
        id == null ? "" : sessions.csrf(id),
        notice(done),
        error.isEmpty() ? String.join("; ", source.troubles().get()) : error);
  }

  private static String notice(@Nullable String done) {
    return switch (done) {
      case "objective" -> "The objective is set. The optimizer looks for a plan.";
      case "pause" -> "The program is paused.";
      case "resume" -> "The program is resumed.";
      case "rollback", "activate" -> "The plan is active for all new documents.";
      case null, default -> "";
    };
  }

  /** Answers a poll; 204 if the visitor has this version, so that the browser keeps the focus. */
  private void fragment(Context context, String url, String content) {
    if (PageFiles.version(content).equals(context.queryParam("v"))) {
      context.status(HttpStatus.NO_CONTENT);
    } else {
      Frame frame = frame(context, "", "");
      context.html(live(frame, url, content));
    }
  }

  private String live(Frame frame, String url, String content) {
    return files.render(
        "live.jte",
        Map.of("frame", frame, "url", url, "version", PageFiles.version(content), "html", content));
  }

  private void html(Context context, String template, Map<String, Object> parameters) {
    context.html(files.render(template, parameters));
  }

  /** Ends the server and all its connections. */
  @Override
  public void close() {
    server.stop();
  }
}
