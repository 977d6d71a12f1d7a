package dev.abacus.optimizer.page.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.HttpStatus;
import io.javalin.http.SameSite;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signing in and out. */
record SessionRoutes(Pages pages) {

  private static final Logger LOG = LoggerFactory.getLogger(SessionRoutes.class);

  void add(RoutesConfig routes) {
    routes.get("/login", context -> form(context, ""));
    routes.post("/login", this::login);
    routes.post("/logout", this::logout);
  }

  private void form(Context context, String error) {
    @Nullable String to =
        context.queryParam("to") == null ? context.formParam("to") : context.queryParam("to");
    pages.page(
        context, "login.jte", "Sign in – Abacus", error, Map.of("to", to == null ? "/" : to));
  }

  private void login(Context context) {
    RequestGuard.requireOrigin(context);
    @Nullable String given = context.formParam("token");
    @Nullable String id = pages.sessions().begin(given == null ? "" : given);
    if (id == null) {
      LOG.warn("A sign-in with a wrong token from {}", context.ip());
      context.status(HttpStatus.FORBIDDEN);
      form(context, "This is not the token.");
      return;
    }
    context.cookie(
        new Cookie(
            Pages.cookie(context),
            id,
            "/",
            (int) Sessions.LIFETIME.toSeconds(),
            context.scheme().equals("https"),
            true,
            null,
            SameSite.STRICT));
    @Nullable String to = context.formParam("to");
    boolean local = to != null && to.matches("(/[a-z0-9-]+)+");
    context.redirect(local ? to : "/", HttpStatus.SEE_OTHER);
  }

  private void logout(Context context) {
    RequestGuard.requireOrigin(context);
    String id = pages.session(context);
    if (id != null) {
      pages.sessions().end(id);
    }
    context.removeCookie(Pages.cookie(context));
    context.redirect("/", HttpStatus.SEE_OTHER);
  }
}
