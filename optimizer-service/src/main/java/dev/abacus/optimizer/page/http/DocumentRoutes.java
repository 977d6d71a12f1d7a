package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.Journeys;
import dev.abacus.optimizer.page.view.LetterView;
import dev.abacus.schemas.journey.Journey;
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
record DocumentRoutes(Pages pages) {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentRoutes.class);

  private static final DeadLetterReplay.Letters NONE = new DeadLetterReplay.Letters(0, 0);

  private static final String REFUSED = "Nothing was replayed: ";

  void add(RoutesConfig routes) {
    routes.get("/programs/{program}/journeys/{id}", this::journey);
    routes.get("/programs/{program}/letters/{id}", this::letter);
    routes.post("/programs/{program}/letters/{id}", this::replayOne);
    routes.get("/programs/{program}/replay", this::confirm);
    routes.post("/programs/{program}/replay", this::replay);
  }

  private void journey(Context context) {
    ProgramRecords records = Pages.program(pages.cluster(), context);
    Journey journey = Journeys.recorded(records, context.pathParam("id"));
    if (journey == null) {
      throw new NotFoundResponse("This journey is not kept any more.");
    }
    String name = records.program().name();
    pages.page(
        context,
        "journey.jte",
        "Journey in " + name + " – Abacus",
        "",
        Map.of(
            "program", name, "journey", journey, "parts", Journeys.ofDocument(records, journey)));
  }

  private void letter(Context context) {
    letter(context, "");
  }

  /** Only for those who may replay, Kafka is asked what was replayed. */
  private void letter(Context context, String error) {
    ProgramRecords records = Pages.program(pages.cluster(), context);
    LetterView view =
        LetterView.of(
            records, context.pathParam("id"), pages.steers(context) ? replayed(records) : Map.of());
    if (view == null) {
      throw new NotFoundResponse("This dead letter is not among those that are kept.");
    }
    pages.page(
        context,
        "letter.jte",
        "Dead letter of " + records.program().name() + " – Abacus",
        error,
        Map.of("view", view));
  }

  private Map<Integer, DeadLetterReplay.Replayed> replayed(ProgramRecords records) {
    try {
      return pages.access().replayed(records.program());
    } catch (IllegalStateException e) {
      return Map.of();
    }
  }

  private void replayOne(Context context) {
    String id = context.pathParam("id");
    pages.change(
        context,
        (records, user) -> {
          String name = records.program().name();
          if (records.letters().stream().noneMatch(letter -> letter.id().equals(id))) {
            throw new NotFoundResponse("This dead letter is not among those that are kept.");
          }
          String[] position = id.split("-", -1);
          DeadLetterReplay.Letters sent =
              pages
                  .access()
                  .replay(
                      records.program(),
                      Integer.parseInt(position[0]),
                      Long.parseLong(position[1]));
          LOG.info("{} on the page: dead letter {} of '{}' was replayed", user, id, name);
          return "/programs/%s/letters/%s?done=replay&sent=%d"
              .formatted(name, id, sent.replayable());
        },
        problem -> letter(context, REFUSED + problem));
  }

  /** Asks whether to replay, with the number of letters. Reading them is for signed-in visitors. */
  private void confirm(Context context) {
    ProgramRecords records = Pages.program(pages.cluster(), context);
    if (!pages.steers(context)) {
      throw new UnauthorizedResponse("");
    }
    try {
      show(context, pages.access().pending(records.program()), "");
    } catch (IllegalStateException e) {
      context.status(HttpStatus.SERVICE_UNAVAILABLE);
      show(context, NONE, REFUSED + e.getMessage());
    }
  }

  private void replay(Context context) {
    pages.change(
        context,
        (records, user) -> {
          String name = records.program().name();
          long sent = pages.access().replay(records.program()).replayable();
          LOG.info("{} on the page: {} dead letters of '{}' were replayed", user, sent, name);
          return "/programs/%s/workers?done=replay&sent=%d".formatted(name, sent);
        },
        problem -> show(context, NONE, REFUSED + problem));
  }

  private void show(Context context, DeadLetterReplay.Letters letters, String error) {
    String name = Pages.program(pages.cluster(), context).program().name();
    pages.page(
        context,
        "replay.jte",
        "Replay of " + name + " – Abacus",
        error,
        Map.of("name", name, "replayable", letters.replayable(), "left", letters.left()));
  }
}
