package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.Journeys;
import dev.abacus.optimizer.page.view.OverviewView;
import dev.abacus.optimizer.page.view.PlansView;
import dev.abacus.optimizer.page.view.ProgramHead;
import dev.abacus.optimizer.page.view.ProgramsView;
import dev.abacus.optimizer.page.view.SamplesView;
import dev.abacus.schemas.objective.Dimension;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
    pages.page(
        context,
        "programs.jte",
        "Programs – Abacus",
        "",
        Map.of("live", pages.live(context, "/live", programsLive())));
  }

  private String programsLive() {
    return pages
        .files()
        .render("programsLive.jte", Map.of("view", ProgramsView.of(pages.cluster())));
  }

  private void tab(Context context, String tab, String error) {
    Cluster cluster = pages.cluster();
    ProgramRecords records = Pages.program(cluster, context);
    String name = records.program().name();
    ProgramHead head = ProgramHead.of(records, cluster.at());
    @Nullable String typed = context.formParam("objective");
    pages.page(
        context,
        "overview.jte",
        name + " – Abacus",
        error,
        Map.of(
            "head",
            head,
            "objective",
            typed == null ? head.objective() : typed,
            "tab",
            tab,
            "live",
            pages.live(
                context, liveUrl(name, tab, context), content(cluster, records, tab, context)),
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
    Instant now = cluster.at();
    Map<String, Object> shown =
        switch (tab) {
          case "overview" -> Map.of("view", OverviewView.of(records));
          case "samples" -> Map.of("view", SamplesView.of(records));
          case "workers" ->
              Map.of(
                  "records", records, "partitions", pages.access().partitions(records), "now", now);
          case "cost" -> Map.of("bill", records.bill(now));
          case "journeys" -> {
            String sought = sought(context);
            yield Map.of(
                "journeys", Journeys.containing(records, sought), "sought", sought, "now", now);
          }
          case "changes" -> Map.of("changes", records.changes(), "now", now);
          default -> throw new NotFoundResponse("There is no such page.");
        };
    Map<String, Object> parameters = new HashMap<>(shown);
    parameters.put("head", ProgramHead.of(records, now));
    return pages.files().render(tab + "Live.jte", parameters);
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
    pages.page(
        context,
        template,
        "Plans of " + records.program().name() + " – Abacus",
        error,
        Map.of(
            "head",
            ProgramHead.of(records, cluster.at()),
            "view",
            PlansView.of(records, sliders, cluster.at())));
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
