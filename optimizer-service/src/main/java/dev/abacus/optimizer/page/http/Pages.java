package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.ClusterAccess;
import dev.abacus.optimizer.page.view.Frame;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What all routes share: the present state, templates, and the session of the visitor. */
record Pages(ClusterAccess access, Sessions sessions, PageFiles files) {

  Cluster cluster() {
    return access.snapshot();
  }

  /**
   * The program that the path names.
   *
   * @throws NotFoundResponse if there is none
   */
  static ProgramRecords program(Cluster cluster, Context context) {
    ProgramRecords records = cluster.programs().get(context.pathParam("program"));
    if (records == null) {
      throw new NotFoundResponse("There is no such program.");
    }
    return records;
  }

  /** Answers with a file. */
  void asset(Context context) {
    PageFiles.Asset asset = files.asset(context.pathParam("name"));
    if (asset == null) {
      throw new NotFoundResponse("There is no such file.");
    }
    context.contentType(asset.type());
    context.header("Cache-Control", "no-cache");
    context.result(asset.content());
  }

  /**
   * Answers with a page.
   *
   * @param error why a change was refused; empty for none
   * @param shown parameters of the template beside its {@link Frame}
   */
  void page(
      Context context, String template, String title, String error, Map<String, Object> shown) {
    Map<String, Object> parameters = new HashMap<>(shown);
    parameters.put("frame", frame(context, title, error));
    context.html(files.render(template, parameters));
  }

  /** Answers with a page of one sentence. */
  void message(Context context, HttpStatus status, String text) {
    context.status(status);
    page(context, "message.jte", "Abacus", "", Map.of("title", status.getMessage(), "text", text));
  }

  /** A part of a page that asks for itself again. */
  String live(Context context, String url, String content) {
    return files.render(
        "live.jte",
        Map.of(
            "live",
            isLive(context),
            "url",
            url,
            "version",
            PageFiles.version(content),
            "html",
            content));
  }

  private static boolean isLive(Context context) {
    return !"off".equals(context.queryParam("live"));
  }

  /** Answers a poll; 204 if the visitor has this version, so that the browser keeps the focus. */
  void fragment(Context context, String url, String content) {
    if (PageFiles.version(content).equals(context.queryParam("v"))) {
      context.status(HttpStatus.NO_CONTENT);
    } else {
      context.html(live(context, url, content));
    }
  }

  /** Whether the visitor may change something. */
  boolean steers(Context context) {
    Visitor visitor = sessions.visitor(session(context));
    return visitor != null && visitor.steers();
  }

  private Frame frame(Context context, String title, String error) {
    String id = session(context);
    Visitor visitor = sessions.visitor(id);
    // A link to a path that begins with two slashes leads to another host.
    boolean here = context.method().name().equals("GET") && !context.path().startsWith("//");
    return new Frame(
        title,
        here ? context.path() : "/",
        toggled(here ? context.path() : "/", here ? context.queryString() : "", isLive(context)),
        isLive(context),
        visitor == null ? "" : visitor.name(),
        steers(context),
        id == null ? "" : sessions.csrf(id),
        steers(context) ? reviews(context) : null,
        notice(context),
        error.isEmpty() ? String.join("; ", access.troubles()) : error);
  }

  /** A page, updating itself or not, with what the visitor seeks or has set. */
  private static String toggled(String path, @Nullable String query, boolean live) {
    Stream<String> kept =
        Stream.of(Objects.requireNonNullElse(query, "").split("&"))
            .filter(part -> !part.matches("((live|done|sent)=.*)?"));
    String shown =
        Stream.concat(kept, live ? Stream.of("live=off") : Stream.of())
            .collect(Collectors.joining("&"));
    return path + (shown.isEmpty() ? "" : "?" + shown);
  }

  /**
   * Answers a form of a visitor who may change a program.
   *
   * @param deed does what the form asks for, given the program and the visitor; returns the page
   *     that says so
   * @param refused answers, given the reason, if the form is wrong or Kafka does not take it now
   */
  void change(
      Context context, BiFunction<ProgramRecords, String, String> deed, Consumer<String> refused) {
    String user = requireSession(context);
    try {
      context.redirect(deed.apply(program(cluster(), context), user), HttpStatus.SEE_OTHER);
    } catch (IllegalArgumentException | IllegalStateException e) {
      context.status(
          e instanceof IllegalArgumentException
              ? HttpStatus.UNPROCESSABLE_CONTENT
              : HttpStatus.SERVICE_UNAVAILABLE);
      refused.accept(e.getMessage());
    }
  }

  private @Nullable Integer reviews(Context context) {
    @Nullable String program = context.pathParamMap().get("program");
    ProgramRecords records = program == null ? null : cluster().programs().get(program);
    return records == null || records.program().review() == 0
        ? null
        : (Integer) records.reviews().size();
  }

  private static String notice(Context context) {
    return switch (context.queryParam("done")) {
      case "objective" -> "The objective is set. The optimizer looks for a plan.";
      case "pause" -> "The program is paused.";
      case "resume" -> "The program is resumed.";
      case "rollback", "activate" -> "The plan is active for all new documents.";
      case "review" -> "The label is sent.";
      case "replay" -> {
        @Nullable String sent = context.queryParam("sent");
        yield sent != null && sent.matches("\\d{1,9}")
            ? sent + (sent.equals("1") ? " document was" : " documents were") + " sent again."
            : "";
      }
      case null, default -> "";
    };
  }

  /**
   * The name of a visitor who may change something, and sends a form that this server gave out.
   *
   * @throws UnauthorizedResponse without a session
   * @throws ForbiddenResponse if another site sent the form
   */
  private String requireSession(Context context) {
    RequestGuard.requireOrigin(context);
    String id = session(context);
    if (id == null) {
      throw new UnauthorizedResponse("");
    }
    if (!sessions.isCsrf(id, context.formParam("csrf"))) {
      throw new ForbiddenResponse("The form is out of date; load the page again.");
    }
    Visitor visitor = Objects.requireNonNull(sessions.visitor(id));
    if (!visitor.steers()) {
      throw new ForbiddenResponse(visitor.name() + " may read, but not change anything.");
    }
    return visitor.name();
  }

  /** The id of the open session; null if there is none. */
  @Nullable String session(Context context) {
    @Nullable String id = context.cookie(cookie(context));
    return sessions.visitor(id) == null ? null : id;
  }

  /** Cookies of a host are shared by its ports. */
  static String cookie(Context context) {
    return "abacus-page-" + context.req().getLocalPort();
  }
}
