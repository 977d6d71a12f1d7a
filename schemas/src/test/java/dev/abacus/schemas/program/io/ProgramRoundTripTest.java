package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

class ProgramRoundTripTest {

  private static final ProgramParser PARSER = new ProgramParser(ModelCatalogue.builtIn());

  @Provide
  Arbitrary<Program> programs() {
    return ProgramArbitraries.programs();
  }

  @Provide
  Arbitrary<Objective> objectives() {
    return ProgramArbitraries.objectives();
  }

  @Property(seed = "42", tries = 300)
  void aProgramWrittenAsJsonIsReadBack(@ForAll("programs") Program program) throws Exception {
    assertThat(PARSER.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
  }

  @Property(seed = "42", tries = 200)
  void aProgramWrittenAsYamlIsReadBack(@ForAll("programs") Program program) throws Exception {
    assertThat(PARSER.parse(yaml(ProgramWriter.write(program)))).isEqualTo(program);
  }

  @Property(seed = "42", tries = 200)
  void anOperatorIsReadBack(@ForAll("programs") Program program) throws Exception {
    for (LogicalOperator operator : program.operators()) {
      assertThat(ProgramWriter.readOperator(ProgramWriter.write(operator).toString()))
          .isEqualTo(operator);
    }
  }

  @Property(seed = "42")
  void theTextOfAnObjectiveIsReadBack(@ForAll("objectives") Objective objective) {
    assertThat(ObjectiveParser.parse(objective.toString())).isEqualTo(objective);
  }

  private static String yaml(ObjectNode program) {
    Map<String, Object> values =
        new ObjectMapper().convertValue(program, new TypeReference<Map<String, Object>>() {});
    return new Dump(DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build())
        .dumpToString(values);
  }
}
