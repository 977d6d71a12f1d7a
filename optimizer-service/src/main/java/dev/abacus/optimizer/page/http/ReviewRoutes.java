package dev.abacus.optimizer.page.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.view.ReviewView;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests for labels, one after the other, for those who may give them. */
record ReviewRoutes(Pages pages) {

  private static final Logger LOG = LoggerFactory.getLogger(ReviewRoutes.class);

  void add(RoutesConfig routes) {
    routes.get("/programs/{program}/review", this::show);
    routes.post("/programs/{program}/review", this::answer);
  }

  private void show(Context context) {
    if (!pages.steers(context)) {
      throw new UnauthorizedResponse("");
    }
    show(context, context.queryParam("after"), "review".equals(context.queryParam("done")), "");
  }

  /** Shows the request after the one that was seen; that one again, with an error. */
  private void show(Context context, @Nullable String seen, boolean done, String error) {
    ProgramRecords records = Pages.program(pages.cluster(), context);
    if (records.program().review() == 0) {
      throw new NotFoundResponse("The program asks for no labels.");
    }
    String name = records.program().name();
    pages.page(
        context,
        "review.jte",
        "Review of " + name + " – Abacus",
        error,
        Map.of(
            "program",
            name,
            "view",
            ReviewView.of(
                records,
                seen,
                done,
                !error.isEmpty(),
                field -> Objects.requireNonNullElse(context.formParam("field-" + field), ""))));
  }

  private void answer(Context context) {
    pages.change(
        context,
        (records, user) -> {
          String name = records.program().name();
          @Nullable String position = context.formParam("position");
          ReviewRequest request = position == null ? null : records.reviews().get(position);
          if (position == null || request == null) {
            throw new NotFoundResponse("This label is not waited for any more.");
          }
          ObjectNode labels = JsonNodeFactory.instance.objectNode();
          labels.set(request.operator().id(), label(request, context));
          pages.access().answer(records.program(), position, labels, user + " on the page");
          LOG.info("{} on the page: a label of {} for '{}'", user, position, name);
          return "/programs/%s/review?done=review&after=%s"
              .formatted(name, URLEncoder.encode(position, StandardCharsets.UTF_8));
        },
        problem ->
            show(context, context.formParam("position"), false, "No label was sent: " + problem));
  }

  private static JsonNode label(ReviewRequest request, Context context) {
    if (!(request.operator() instanceof SemanticMap map)) {
      @Nullable String keep = context.formParam("keep");
      if (keep == null || !keep.matches("true|false")) {
        throw new IllegalArgumentException("answer yes or no");
      }
      return BooleanNode.valueOf(keep.equals("true"));
    }
    ObjectNode label = JsonNodeFactory.instance.objectNode();
    for (Field field : map.writes()) {
      @Nullable String text = context.formParam("field-" + field.name());
      if (text != null && !(text.isBlank() && !field.nullable())) {
        FieldCheck check = FieldCheck.ofLabel();
        JsonNode value = check.field(field, value(field, text));
        if (!check.problems().isEmpty()) {
          throw new IllegalArgumentException(String.join("; ", check.problems()));
        }
        label.set(field.name(), value);
      }
    }
    if (label.isEmpty()) {
      throw new IllegalArgumentException("fill in a field");
    }
    return label;
  }

  private static JsonNode value(Field field, String text) {
    if (text.isBlank()) {
      return NullNode.getInstance();
    }
    if (field.type() instanceof FieldType.StringType) {
      return TextNode.valueOf(text);
    }
    try {
      return Json.read(text.getBytes(StandardCharsets.UTF_8), JsonNode.class);
    } catch (MalformedRecordException e) {
      throw new IllegalArgumentException(
          "'%s' is no %s: %s".formatted(field.name(), field.type().label(), text), e);
    }
  }
}
