package dev.abacus.deploy.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The chart as Helm renders it, by the schema of Kubernetes: fields, their types, and what is
 * required.
 */
class ChartTest {

  private static final Path CHART = Path.of("../helm/abacus");

  private static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName("triage")
        .set("kafka.bootstrapServers", "broker-0:9092\\,broker-1:9092");
  }

  @Test
  void kubernetesKnowsAllThatIsRendered() throws Exception {
    assertThat(kinds(template()))
        .contains("ConfigMap", "StatefulSet", "Deployment", "Service", "PodDisruptionBudget")
        .contains("NetworkPolicy")
        .doesNotContain("ScaledObject");
  }

  @Test
  void kubernetesKnowsAllThatIsRenderedWithEveryValueSet() throws Exception {
    TemplateCommand all =
        template()
            .set("image.pullSecrets[0].name", "pull")
            .set("kafka.schemaRegistryUrl", "http://registry:8081")
            .set("kafka.properties.security\\.protocol", "SASL_SSL")
            .set("secret", "keys")
            .set("modelEndpoint", "http://models/v1")
            .set("worker.settings.abacus\\.in\\.flight", "400")
            .set("worker.state.storageClass", "fast")
            .set("optimizer.settings.optimizer\\.page\\.listener", "0.0.0.0:8080")
            .set("networkPolicy.metricsFrom[0].podSelector.matchLabels.app", "prometheus")
            .set("keda.enabled", "true")
            .set("keda.prometheusAddress", "http://prometheus:9090");

    assertThat(kinds(all)).contains("ScaledObject", "StatefulSet", "NetworkPolicy");
  }

  @Test
  void aMissingValueIsNamed() {
    assertThatThrownBy(() -> new Helm(CHART).template().withName("triage").call())
        .hasMessageContaining("Set kafka.bootstrapServers");
  }

  /** The check above would not fail otherwise. */
  @Test
  void anUnknownFieldIsFound() {
    assertThatThrownBy(() -> check(Map.of("kind", "StatefulSet", "spec", Map.of("replica", 2))))
        .hasStackTraceContaining("`replica`");
  }

  /** The kinds of what is rendered. */
  private static List<String> kinds(TemplateCommand template) throws Exception {
    List<String> kinds = new ArrayList<>();
    for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(template.call())) {
      if (one instanceof Map<?, ?> object) {
        check(object);
        kinds.add(String.valueOf(object.get("kind")));
      }
    }
    return kinds;
  }

  private static void check(Map<?, ?> object) throws Exception {
    Object kind = object.get("kind");
    if (String.valueOf(object.get("apiVersion")).startsWith("keda.sh/")) {
      return;
    }
    try {
      Class.forName(V1ConfigMap.class.getPackageName() + ".V1" + kind)
          .getMethod("validateJsonElement", JsonElement.class)
          .invoke(null, new Gson().toJsonTree(object));
    } catch (InvocationTargetException e) {
      throw new AssertionError(String.valueOf(kind), e.getCause());
    }
  }
}
