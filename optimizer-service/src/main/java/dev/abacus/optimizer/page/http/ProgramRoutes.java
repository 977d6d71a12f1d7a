package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.ChangesView;
import dev.abacus.optimizer.page.view.CostView;
import dev.abacus.optimizer.page.view.Frame;
import dev.abacus.optimizer.page.view.JourneysView;
import dev.abacus.optimizer.page.view.OverviewView;
import dev.abacus.optimizer.page.view.PlansView;
import dev.abacus.optimizer.page.view.ProgramHead;
import dev.abacus.optimizer.page.view.ProgramsView;
import dev.abacus.optimizer.page.view.SamplesView;
import dev.abacus.optimizer.page.view.WorkersView;
import dev.abacus.schemas.objective.Dimension;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages of all programs and of one, and its changes. */
record ProgramRoutes(Pages pages) {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramRoutes.class);

  void add(RoutesConfig routes) {
    routes.get("/", this::programs);
    routes.get("/live", context -> pages.fragment(context, "/live", programsLive()));
    routes.get("/programs/{program}", context -> tab(context, "overview", ""));
    for (String tab : List.of("samples", "workers", "cost", "journeys", "changes")) {
      routes.get("/programs/{program}/" + tab, context -> tab(context, tab, ""));
    }
    routes.get("/programs/{program}/live/{tab}", this::tabLive);
    routes.get("/programs/{program}/plans", context -> plans(context, "plans.jte", ""));
    routes.get("/programs/{program}/what-if", context -> plans(context, "frontier.jte", ""));
    routes.post("/programs/{program}/{change}", this::change);
  }

  private void programs(Context context) {
    Frame frame = pages.frame(context, "Programs – Abacus", "");
    pages.html(
        context,
        "programs.jte",
        Map.of("frame", frame, "live", pages.live(frame, "/live", programsLive())));
  }

  private String programsLive() {
    return pages.render("programsLive.jte", ProgramsView.of(pages.cluster()));
  }

  private void tab(Context context, String tab, String error) {
    Cluster cluster = pages.cluster();
    ProgramRecords records = Pages.program(cluster, context);
    String name = records.program().name();
    Frame frame = pages.frame(context, name + " – Abacus", error);
    pages.html(
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
            pages.live(frame, liveUrl(name, tab, context), content(cluster, records, tab, context)),
            "sought",
            sought(context)));
  }

  private void tabLive(Context context) {
    Cluster cluster = pages.cluster();
    ProgramRecords records = Pages.program(cluster, context);
    String tab = context.pathParam("tab");
    pages.fragment(
        context,
        liveUrl(records.program().name(), tab, context),
        content(cluster, records, tab, context));
  }

  private static String liveUrl(String program, String tab, Context context) {
    String sought = sought(context);
    return "/programs/%s/live/%s%s"
        .formatted(
            program,
            tab,
            sought.isEmpty() ? "" : "?q=" + URLEncoder.encode(sought, StandardCharsets.UTF_8));
  }

  private static String sought(Context context) {
    return Objects.requireNonNullElse(context.queryParam("q"), "");
  }

  private String content(Cluster cluster, ProgramRecords records, String tab, Context context) {
    return switch (tab) {
      case "overview" -> pages.render("overviewLive.jte", OverviewView.of(records, cluster.at()));
      case "samples" -> pages.render("samplesLive.jte", SamplesView.of(records, cluster.at()));
      case "workers" ->
          pages.render(
              "workersLive.jte",
              WorkersView.of(records, pages.access().partitions(records), cluster.at()));
      case "cost" -> pages.render("costLive.jte", CostView.of(records, cluster.at()));
      case "journeys" ->
          pages.render("journeysLive.jte", JourneysView.of(records, sought(context), cluster.at()));
      case "changes" -> pages.render("changesLive.jte", ChangesView.of(records, cluster.at()));
      default -> throw new NotFoundResponse("There is no such page.");
    };
  }

  private void plans(Context context, String template, String error) {
    Cluster cluster = pages.cluster();
    ProgramRecords records = Pages.program(cluster, context);
    Map<String, Integer> sliders = new HashMap<>();
    for (Dimension dimension : Dimension.values()) {
      @Nullable String position = context.queryParam(dimension.label());
      if (position != null && position.matches("\\d{1,3}")) {
        sliders.put(dimension.label(), Integer.valueOf(position));
      }
    }
    PlansView view = PlansView.of(records, sliders, cluster.at());
    pages.view(context, template, "Plans of " + records.program().name(), error, view);
  }

  private void change(Context context) {
    String action = context.pathParam("change");
    boolean plans = action.equals("rollback") || action.equals("activate");
    pages.change(
        context,
        (records, user) -> {
          @Nullable String value = context.formParam(plans ? "epoch" : "objective");
          Changes change = Changes.of(records, action, value);
          pages.access().write(change.record(), user + " on the page");
          LOG.info("{} on the page: {}", user, change.done());
          String path = "/programs/" + records.program().name() + (plans ? "/plans" : "");
          return path + "?done=" + action;
        },
        problem -> {
          String error = "Nothing was changed: " + problem;
          if (plans) {
            plans(context, "plans.jte", error);
          } else {
            tab(context, "overview", error);
          }
        });
  }
}
