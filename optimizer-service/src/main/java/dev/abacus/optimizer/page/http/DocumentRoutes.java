package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.JourneyView;
import dev.abacus.schemas.replay.DeadLetterReplay;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single documents: the journey of one, and the replay of dead letters. */
final class DocumentRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentRoutes.class);

  private final Pages pages;

  DocumentRoutes(Pages pages) {
    this.pages = pages;
  }

  void add(RoutesConfig routes) {
    routes.get("/programs/{program}/journeys/{id}", this::journey);
    routes.get("/programs/{program}/replay", this::confirm);
    routes.post("/programs/{program}/replay", this::replay);
  }

  private void journey(Context context) {
    ProgramRecords records = Pages.program(pages.cluster(), context);
    JourneyView view = JourneyView.of(records, context.pathParam("id"));
    if (view == null) {
      throw new NotFoundResponse("This journey is not kept any more.");
    }
    pages.html(
        context,
        "journey.jte",
        Map.of(
            "frame",
            pages.frame(context, "Journey in " + records.program().name() + " – Abacus", ""),
            "view",
            view));
  }

  /** Asks whether to replay, with the number of letters. Reading them is for signed-in visitors. */
  private void confirm(Context context) {
    Cluster cluster = pages.cluster();
    ProgramRecords records = Pages.program(cluster, context);
    if (pages.session(context) == null) {
      throw new UnauthorizedResponse("");
    }
    try {
      show(context, records, pages.source().letters().pending(records.program()), "");
    } catch (IllegalStateException e) {
      context.status(HttpStatus.SERVICE_UNAVAILABLE);
      show(context, records, new DeadLetterReplay.Letters(0, 0), refused(e));
    }
  }

  private void replay(Context context) {
    var _ = pages.requireSession(context);
    ProgramRecords records = Pages.program(pages.cluster(), context);
    String name = records.program().name();
    try {
      DeadLetterReplay.Letters sent = pages.source().letters().replay(records.program());
      LOG.info("On the page: {} dead letters of '{}' were replayed", sent.replayable(), name);
      context.redirect(
          "/programs/%s/workers?done=replay&sent=%d".formatted(name, sent.replayable()),
          HttpStatus.SEE_OTHER);
    } catch (IllegalStateException e) {
      context.status(HttpStatus.SERVICE_UNAVAILABLE);
      show(context, records, new DeadLetterReplay.Letters(0, 0), refused(e));
    }
  }

  private static String refused(IllegalStateException failure) {
    return "Nothing was replayed: " + failure.getMessage();
  }

  private void show(
      Context context, ProgramRecords records, DeadLetterReplay.Letters letters, String error) {
    pages.html(
        context,
        "replay.jte",
        Map.of(
            "frame",
            pages.frame(context, "Replay of " + records.program().name() + " – Abacus", error),
            "name",
            records.program().name(),
            "replayable",
            letters.replayable(),
            "left",
            letters.left()));
  }
}
