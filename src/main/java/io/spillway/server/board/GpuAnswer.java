package io.spillway.server.board;

import io.spillway.scheduler.model.GpuModel;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A canonical GPU model.
 *
 * @param form sxm, pcie or nvl
 * @param aliases each provider's own names for it
 */
@Schema(description = "A canonical GPU model")
public record GpuAnswer(
    @Schema(examples = "nvidia-h100-80gb") String name,
    int memoryGb,
    String form,
    SortedMap<String, List<String>> aliases) {

  static GpuAnswer of(GpuModel model, Map<String, Map<String, GpuModel>> aliasesByProvider) {
    SortedMap<String, List<String>> aliases = new TreeMap<>();
    aliasesByProvider.forEach(
        (provider, names) -> {
          List<String> own =
              names.entrySet().stream()
                  .filter(entry -> entry.getValue().equals(model))
                  .map(Map.Entry::getKey)
                  .sorted()
                  .toList();
          if (!own.isEmpty()) {
            aliases.put(provider, own);
          }
        });
    return new GpuAnswer(model.name(), model.memoryGb(), model.form(), aliases);
  }
}
